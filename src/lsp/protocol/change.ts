/** One replacement in a text, in UTF-16 offsets. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The text with the changes made; they do not overlap. */
export function changed(text: string, changes: readonly Change[]): string {
  let result = text;
  for (const { start, end, newText } of [...changes].sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + newText + result.slice(end);
  return result;
}
