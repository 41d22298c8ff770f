/**
 * The candidate nearest to `query` by Damerau–Levenshtein distance (adjacent swaps count one), or `undefined` when
 * none is near enough to be what was meant: a third of the length, at most 3.
 */
export function nearest(query: string, candidates: Iterable<string>): string | undefined {
  const from = query.toLowerCase();
  let best: string | undefined;
  let least = Math.min(3, Math.max(1, Math.floor(from.length / 3))) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(from, candidate.toLowerCase(), least - 1);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Optimal-string-alignment distance, or `most + 1` as soon as it is known to be more than `most`. */
export function editDistance(a: string, b: string, most: number): number {
  if (most < Math.abs(a.length - b.length)) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost);
      if (1 < i && 1 < j && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, beforeLast[j - 2]! + 1);
      row.push(value);
      if (value < least) least = value;
    }
    if (most < least) return most + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
