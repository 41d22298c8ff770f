/**
 * FNV-1a over UTF-16 units, twice with different seeds, as 16 hex digits: names a revision, guards nothing.
 * Pure, so that the core needs no built-in for it.
 */
export function contentHash(text: string): string {
  return hash32(text, 0x811c9dc5) + hash32(text, 0x9747b28c);
}

function hash32(text: string, seed: number): string {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
