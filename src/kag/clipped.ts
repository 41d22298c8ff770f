/** As hosts of these contracts clip: at most so many characters, then an ellipsis. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}
