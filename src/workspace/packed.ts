import { readFileSync } from "node:fs";
import { kindOfFile, lazyPlaces, type ParsedFile, parseFile } from "../core/concept/parse-file.ts";
import { contentHash } from "../core/snapshot/hash.ts";
import { listFolder } from "./read-folder.ts";

/**
 * Parsed values of faultless files, by path and hash of their text. The build makes one for the shipped vocabulary,
 * because reading YAML is most of a cold start; a file that was changed since is parsed as any other.
 */
export type Packed = Readonly<Record<string, { readonly hash: string; readonly value: unknown }>>;

export function packFolder(root: string): Packed {
  const packed: Record<string, Packed[string]> = {};
  for (const path of listFolder(root).files) {
    const text = readFileSync(`${root}/${path}`, "utf8");
    const { value, problems } = parseFile(path, text);
    if (problems.length === 0) packed[path] = { hash: contentHash(text), value };
  }
  return packed;
}

/** Reads what the build packed; nothing when there is none, or when it cannot be read. */
export function readPacked(path: string): Packed {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Packed;
  } catch {
    return {};
  }
}

/** The file as `parseFile` gives it, from the pack when the text is the packed one. */
export function parsePacked(packed: Packed, path: string, text: string): ParsedFile {
  const entry = Object.hasOwn(packed, path) ? packed[path] : undefined;
  if (entry?.hash !== contentHash(text)) return parseFile(path, text);
  return {
    kind: kindOfFile(path),
    file: path,
    value: entry.value,
    problems: [],
    places: lazyPlaces(path, text),
  } as ParsedFile;
}
