import type { Span } from "../text/formats/passage.ts";

const reach = 120;

/** Whether a match stands inside an address, a path, a file name, an identifier or an option, written without marks. */
export function inCode(text: string, span: Span): boolean {
  let start = span.start;
  while (start > 0 && span.start - start < reach && !/\s/.test(text[start - 1] ?? " ")) start -= 1;
  let end = span.end;
  while (end < text.length && end - span.end < reach && !/\s/.test(text[end] ?? " ")) end += 1;
  if (start === span.start && end === span.end) return false;
  const before = text.slice(start, span.start);
  const after = text.slice(span.end, end);
  return pathBefore(before) || pathAfter(after);
}

/**
 * Whether a match stands inside a name joined by hyphens, as ids and packages are (`indigenous-data-sovereignty`).
 * Words that are capitalized elsewhere (`proper`) are ids in small letters: `medicine-wheel`, `inuit-nisr`. Others are
 * only as a part of three words or more.
 */
export function inHyphenated(text: string, span: Span, whole: Span, proper: "name" | "word" | undefined): boolean {
  let start = span.start;
  while (start > 0 && span.start - start < reach && /[a-z0-9-]/.test(text[start - 1] ?? " ")) start -= 1;
  let end = span.end;
  while (end < text.length && end - span.end < reach && /[a-z0-9-]/.test(text[end] ?? " ")) end += 1;
  const name = text.slice(start, end);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(name)) return false;
  if (whole.start > start || whole.end < end) return proper !== undefined || name.split("-").length > 2;
  if (proper === "word") return name.split("-").length > 3;
  return proper === "name" && span.start === start && span.end === end;
}

function pathBefore(before: string): boolean {
  if (before === "") return false;
  if (before.includes("://") || before.includes("www.")) return true;
  const near = /[([{<"'“‘«*]*([^([{<"'“‘«*]*)$/.exec(before)?.[1] ?? "";
  return /^(?:--?|[@/~$#.]|\.{1,2}\/)/.test(near) && !/^[-–—]+$/.test(near)
    ? true
    : /(?:\w\/){2,}|[\w-]+\/[\w-]+\/$|::|\w[._]$|[=&?]\w*$|_/.test(near);
}

function pathAfter(after: string): boolean {
  return (
    /^(?:\(\)|::|_|\/[\w-]+\/|[\w-]*\.(?:[a-z]{1,4}|json|html|yaml|toml)\b(?!\s)|@[\w-]+\.|=[\w"'])/.test(after) &&
    !/^\.[A-Z]/.test(after)
  );
}
