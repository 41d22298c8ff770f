import { passageText, type SourceMap, type Span } from "./passage.ts";
import { copyProse, opaque } from "./prose.ts";

/**
 * One inline construct of a light markup. `pattern` is sticky and matches it whole; `read` says what of it is text: a
 * group that is read as prose, as emphasis, nothing at all, or `code`, which stands as one opaque character.
 */
export interface InlineMark {
  readonly pattern: RegExp;
  readonly read: "code" | "drop" | { readonly group: number; readonly emphasis?: boolean };
}

export interface MarkedText {
  readonly text: string;
  readonly source: SourceMap;
  readonly emphasis: readonly Span[];
  readonly code: readonly Span[];
}

/** Reads a stretch of light markup. `starts` are the characters that any mark begins with. Linear for bounded marks. */
export function readMarks(
  text: string,
  from: number,
  to: number,
  marks: readonly InlineMark[],
  starts: RegExp,
): MarkedText {
  const into = passageText();
  const emphasis: Span[] = [];
  const code: Span[] = [];
  const piece = text.slice(from, to);
  let kept = 0;
  let at = 0;
  const flush = (end: number): void => copyProse(into, text, from + kept, from + end);
  while (at < piece.length) {
    const found = canStart(piece, at, starts) ? match(piece, at, marks) : undefined;
    if (found === undefined) {
      at += 1;
      continue;
    }
    flush(at);
    const { mark, groups, length } = found;
    if (mark.read === "code") {
      into.put(opaque, from + at);
      code.push({ start: from + at, end: from + at + length });
    } else if (mark.read !== "drop") {
      const inner = groups[mark.read.group] ?? "";
      const offset = at + (groups[0] ?? "").indexOf(inner);
      const start = into.length;
      copyProse(into, text, from + offset, from + offset + inner.length);
      if (mark.read.emphasis === true) emphasis.push({ start, end: into.length });
    }
    at += length;
    kept = at;
  }
  flush(piece.length);
  return { ...into.finish(), emphasis, code };
}

/** A mark that begins with a letter begins a word. */
function canStart(piece: string, at: number, starts: RegExp): boolean {
  const character = piece[at] ?? "";
  return starts.test(character) && !(/[a-z]/.test(character) && /\w/.test(piece[at - 1] ?? ""));
}

function match(
  piece: string,
  at: number,
  marks: readonly InlineMark[],
): { mark: InlineMark; groups: RegExpExecArray; length: number } | undefined {
  for (const mark of marks) {
    mark.pattern.lastIndex = at;
    const groups = mark.pattern.exec(piece);
    if (groups !== null && groups[0].length > 0) return { mark, groups, length: groups[0].length };
  }
  return undefined;
}
