import { byteLength } from "../core/render/markdown.ts";

/** As many of the items, from the first, as fit into so many bytes of JSON. */
export function fitting<T>(items: readonly T[], most: number): readonly T[] {
  let bytes = 0;
  const kept: T[] = [];
  for (const item of items) {
    bytes += byteLength(JSON.stringify(item)) + 1;
    if (most < bytes) break;
    kept.push(item);
  }
  return kept;
}
