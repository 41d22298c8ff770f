import { readFileSync } from "node:fs";

/**
 * Parsed values of faultless files, by path and hash of their text. The build makes one for the shipped vocabulary,
 * because reading YAML is most of a cold start; a file that was changed since is parsed as any other.
 */
export type Packed = Readonly<Record<string, { readonly hash: string; readonly value: unknown }>>;

/** Reads what the build packed; nothing when there is none, or when it cannot be read. */
export function readPacked(path: string): Packed {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Packed;
  } catch {
    return {};
  }
}
