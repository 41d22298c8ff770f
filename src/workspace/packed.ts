import { readFileSync } from "node:fs";
import { kindOfFile, lazyPlaces, type ParsedFile, parseFile } from "../core/concept/parse-file.ts";
import { contentHash } from "../core/snapshot/hash.ts";
import { listFolder } from "./read-folder.ts";
import type { Packed } from "./read-packed.ts";

export function packFolder(root: string): Packed {
  const packed: Record<string, Packed[string]> = {};
  for (const path of listFolder(root).files) {
    const text = readFileSync(`${root}/${path}`, "utf8");
    const { value, problems } = parseFile(path, text);
    if (problems.length === 0) packed[path] = { hash: contentHash(text), value };
  }
  return packed;
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
