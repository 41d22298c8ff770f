import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import ignore from "ignore";
import { parse } from "yaml";
import { isRecord } from "../../base/json-rpc.ts";

export const projectFileNames = [".iaip-dsl.yaml", ".iaip-dsl.yml"] as const;

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** What the YAML holds; `undefined` when it does not parse. */
  readonly value: unknown;
}

interface Cached {
  readonly stamp: string;
  readonly file: ProjectFile;
}

/** Finds the project file that governs a document: the nearest one upwards. Read again only when it changed on disk. */
export class ProjectFiles {
  readonly #read = new Map<string, Cached>();

  async governing(file: string): Promise<ProjectFile | undefined> {
    for (const folder of upwards(path.dirname(file))) {
      for (const name of projectFileNames) {
        const found = await this.#load(path.join(folder, name));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  async #load(file: string): Promise<ProjectFile | undefined> {
    try {
      const { mtimeMs, size } = await stat(file);
      const stamp = `${mtimeMs}:${size}`;
      const cached = this.#read.get(file);
      if (cached?.stamp === stamp) return cached.file;
      const text = await readFile(file, "utf8");
      const read = { path: file, text, value: parseOrNothing(text) };
      this.#read.set(file, { stamp, file: read });
      return read;
    } catch {
      this.#read.delete(file);
      return undefined;
    }
  }
}

/**
 * What a project file says of one document, weakest first: its own keys, then each entry of `overrides` whose `files`
 * fit, and silence for what `ignore` leaves out. Globs are those of `.gitignore`.
 */
export function layersFor({ path: own, value }: ProjectFile, file: string): readonly unknown[] {
  if (!isRecord(value)) return [];
  const name = path.relative(path.dirname(own), file).split(path.sep).join("/");
  const fits = (globs: unknown): boolean =>
    Array.isArray(globs) && globs.every((it) => typeof it === "string") && ignore().add(globs).ignores(name);
  const overrides = Array.isArray(value.overrides) ? value.overrides.filter(isRecord) : [];
  const silent = fits(value.ignore) ? [{ diagnostics: { enable: false } }] : [];
  return [value, ...overrides.filter((it) => fits(it.files)), ...silent];
}

function parseOrNothing(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 20, logLevel: "silent" });
  } catch {
    return undefined;
  }
}

function upwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}
