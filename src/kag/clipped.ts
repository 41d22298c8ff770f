/** As hosts of these contracts clip: at most so many characters, then an ellipsis. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).trimEnd()}…`;
}
