import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { fileStart, type Problem } from "../core/concept/problem.ts";
import { longestFile } from "../core/concept/yaml-document.ts";

export interface FolderListing {
  /** Paths of YAML files below the folder, with `/`, sorted. */
  readonly files: readonly string[];
  /** What could not be entered, as problems. */
  readonly problems: readonly Problem[];
}

/** Lists a vocabulary folder. Never throws: what cannot be entered is a problem, and the rest is listed. */
export function listFolder(root: string): FolderListing {
  const files: string[] = [];
  const problems: Problem[] = [];
  const entered = new Set<string>();
  const home = realRoot(root);
  visit("");
  return { files: files.sort(), problems };

  function visit(below: string): void {
    const folder = join(root, below);
    try {
      const real = realpathSync(folder);
      if (entered.has(real)) {
        problems.push(
          fault(below, "folder.loop", `\`${below}\` links back to a folder that is already read. Remove the link.`),
        );
        return;
      }
      entered.add(real);
      for (const entry of readdirSync(folder, { withFileTypes: true })) visitEntry(below, entry);
    } catch (error) {
      const where = below === "" ? `the vocabulary folder ${root}` : `\`${below}\``;
      problems.push(
        fault(
          below,
          "folder.unreadable",
          `Cannot read ${where}: ${reason(error)}. Check that it exists and may be read.`,
        ),
      );
    }
  }

  function visitEntry(below: string, entry: Dirent): void {
    if (entry.name.startsWith(".") || entry.name === "node_modules") return;
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    const isYaml = isVocabularyFile(path);
    if (!entry.isSymbolicLink()) {
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && isYaml) files.push(path);
      return;
    }
    try {
      const target = statSync(join(root, path));
      const isWanted = target.isDirectory() || (target.isFile() && isYaml);
      if (isWanted && !isBelow(home, realpathSync(join(root, path))))
        problems.push(fault(path, "file.outside", outside(path)));
      else if (target.isDirectory()) visit(path);
      else if (isWanted) files.push(path);
    } catch (error) {
      problems.push(
        fault(path, "file.unreadable", `\`${path}\` links nowhere: ${reason(error)}. Mend or remove the link.`),
      );
    }
  }
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/** By real paths: what a link leads to counts, not where the link stands. */
function isBelow(home: string, real: string): boolean {
  return real === home || real.startsWith(home.endsWith(sep) ? home : home + sep);
}

function outside(path: string): string {
  return `\`${path}\` leads out of the vocabulary folder and is not read. Move the file here, or remove the link.`;
}

export function isVocabularyFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.ya?ml$/i.test(name) && !name.startsWith(".") && !name.startsWith("~") && !name.startsWith("#");
}

export type ReadFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "gone" }
  /** A link that leads out of the folder; the listing names it. */
  | { readonly kind: "outside" }
  | { readonly kind: "refused"; readonly problem: Problem };

export function readVocabularyFile(root: string, path: string): ReadFile {
  try {
    if (!isBelow(realRoot(root), realpathSync(join(root, path)))) return { kind: "outside" };
    const { size } = statSync(join(root, path));
    if (longestFile * 4 < size) {
      const message = `This file has ${size} bytes; a concept file may have ${longestFile} characters. Split or shorten it.`;
      return { kind: "refused", problem: fault(path, "file.too-large", message) };
    }
    return { kind: "text", text: readFileSync(join(root, path), "utf8") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "gone" };
    return { kind: "refused", problem: fault(path, "file.unreadable", `Cannot read \`${path}\`: ${reason(error)}.`) };
  }
}

/** A path below the vocabulary folder, with `/` on every system. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

function fault(file: string, code: string, message: string): Problem {
  return { code, severity: "error", file, range: fileStart, message };
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentences: Readonly<Record<string, string>> = {
    ENOENT: "it does not exist",
    EACCES: "permission is denied",
    ELOOP: "links go round in a circle",
    ENOTDIR: "it is not a folder",
  };
  return sentences[code ?? ""] ?? message;
}
