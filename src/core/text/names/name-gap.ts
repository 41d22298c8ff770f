/** How two words stand to each other in a text: `joined` (a hyphen, an apostrophe, nothing), `spaced`, or apart. */
export type Gap = "joined" | "spaced" | undefined;

/** Reads what stands between two words. A name may reach over a soft gap and never over any other punctuation. */
export function gapBetween(text: string, from: number, to: number): Gap {
  if (from === to) return "joined";
  if (to - from > longestGap) return undefined;
  if (to - from === 1) {
    const unit = text[from] ?? "";
    if (unit === " ") return "spaced";
    if (joiner.test(unit)) return "joined";
  }
  const between = text.slice(from, to);
  if (/^[-‐‑–_:'’ʼ‘`´·꞉\u00ad]{1,2}$/.test(between)) return /^[-_]{2}$|^.$/u.test(between) ? "joined" : undefined;
  const spaced = /^['’ʼ`´‐‑-]?([\p{Zs}\t]*)$/u.exec(between);
  if (spaced !== null) return /^[‐‑-]/.test(between) ? undefined : "spaced";
  return isLineBreak(text, from, between) ? "spaced" : undefined;
}

/** Punctuation between two words of a name, spaces aside, as a token that no word can be. */
export function punctuationToken(text: string, from: number, to: number): string {
  return longestGap < to - from ? "\0" : `\0${text.slice(from, to).replace(/\s+/gu, "")}`;
}

/** Punctuation that no name reaches over: a safe place to start or stop reading. */
export function isHardBreak(text: string, at: number): boolean {
  return hard.test(text[at] ?? "");
}

const longestGap = 160;
const joiner = /[-‐‑–_:'’ʼ‘`´·꞉\u00ad]/;
const hard = /[.,;!?(){}[\]<\\|=+"“”«»…—]/;

/** One line break, with what begins a continued line: indentation, `>` of a quotation, the mark of a comment. */
function isLineBreak(text: string, from: number, between: string): boolean {
  const match =
    /^['’ʼ`´‐‑-]?[\p{Zs}\t]*(?:\r\n|\r|\n)[\p{Zs}\t]*((?:>[\p{Zs}\t]*)*|\/\/+[\p{Zs}\t]*|#[\p{Zs}\t]+)$/u.exec(between);
  if (match === null) return false;
  const mark = (match[1] ?? "").trim().replace(/[\p{Zs}\t]+/gu, "");
  return mark === "" || lineStart(text, from).startsWith(mark[0] === ">" ? ">" : mark);
}

function lineStart(text: string, at: number): string {
  let start = at;
  while (start > 0 && at - start < 2000 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start -= 1;
  return text.slice(start, Math.min(at, start + 400)).trimStart();
}
