/** Inline marks in one paragraph beyond which they are no longer read as marks. */
const most = 600;

/**
 * The text as the Markdown parser is to see it, of the same length. A parser of inline marks takes time that grows with
 * the square of the marks in a paragraph; in a paragraph with more marks than any writer sets, they become full stops.
 */
export function guarded(text: string): string {
  if (text.length < most) return text;
  const pieces: string[] = [];
  let kept = 0;
  let start = 0;
  let count = 0;
  let at = 0;
  const close = (end: number): void => {
    if (count > most) {
      pieces.push(text.slice(kept, start), text.slice(start, end).replace(/[*_[\]`<!]/g, "."));
      kept = end;
    }
    start = end;
    count = 0;
  };
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    if (beginsBlock(text, at, end)) close(at);
    for (let unit = at; unit < end; unit += 1) if (isMark(text.charCodeAt(unit))) count += 1;
    at = end;
  }
  close(text.length);
  return pieces.length === 0 ? text : `${pieces.join("")}${text.slice(kept)}`;
}

/** A blank line, or one that begins an item, a heading, a quotation or a row of a table. */
function beginsBlock(text: string, from: number, to: number): boolean {
  return /^\s*(?:$|[-+*]\s|\d{1,9}[.)]\s|#|>|\|)/.test(text.slice(from, Math.min(to, from + 60)));
}

const isMark = (unit: number): boolean =>
  unit === 0x2a || unit === 0x5f || unit === 0x5b || unit === 0x60 || unit === 0x3c || unit === 0x21;
