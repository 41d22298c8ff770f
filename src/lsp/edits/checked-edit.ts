import { isDeepStrictEqual } from "node:util";
import type { Finding } from "../../core/terms/reading.ts";
import type { Passage, TextDocument } from "../../core/text/formats/passage.ts";
import { type Change, changed } from "../protocol/change.ts";

/** A text as the terminology reader and the format's reader read it. */
export interface ReadProse {
  readonly findings: readonly Finding[];
  /** How many suppressions silence nothing. */
  readonly unused: number;
  readonly document: TextDocument;
}

/**
 * Whether changes do what they are offered for and nothing else: the finding is gone, no other appears, every passage
 * is what it was. A replacement may change the text of the one passage that it stands in.
 */
export async function mendsOnly(
  read: (text: string) => Promise<ReadProse>,
  text: string,
  changes: readonly Change[],
  finding: Finding,
  kind: "replacement" | "suppression",
): Promise<boolean> {
  if (kind === "replacement" && joinsRows(text, finding)) return false;
  const before = await read(text);
  const after = await read(changed(text, changes));
  const expected = before.findings.map((it) => keyOf(it, moved(it.start, changes)));
  const found = after.findings.map((it) => keyOf(it, it.start));
  if (found.includes(keyOf(finding, moved(finding.start, changes)))) return false;
  if (found.some((it) => !expected.includes(it)) || after.unused > before.unused) return false;
  const others = before.findings.filter((it) => it.rule !== finding.rule || kind === "replacement");
  const lost = others.filter((it) => it !== finding && !found.includes(keyOf(it, moved(it.start, changes))));
  const isOwn = (it: Finding): boolean => it.start < finding.end && finding.start < it.end;
  return lost.every(isOwn) && isSameDocument(before.document, after.document, kind, changes.length);
}

/** Whether a finding goes over the end of a line with a bar: two rows of a table may not become one. */
function joinsRows(text: string, { start, end }: Finding): boolean {
  if (!/[\r\n]/.test(text.slice(start, end))) return false;
  const from = text.lastIndexOf("\n", start) + 1;
  const to = text.indexOf("\n", end);
  return text.slice(from, to < 0 ? text.length : to).includes("|");
}

function isSameDocument(
  before: TextDocument,
  after: TextDocument,
  kind: "replacement" | "suppression",
  count: number,
): boolean {
  const [old, now] = [textsOf(before), textsOf(after)];
  if (old.length !== now.length || !isDeepStrictEqual(before.frontMatter, after.frontMatter)) return false;
  const differing = old.filter((it, at) => spaced(it.text) !== spaced(now[at]?.text ?? ""));
  const sameShapes = old.every((it, at) => isSameShape(it, now[at]));
  const comments = after.comments.length - before.comments.length;
  return kind === "replacement"
    ? sameShapes && differing.length <= 1 && comments === 0
    : sameShapes && differing.length === 0 && comments === count;
}

/** What is read, without the comments, which suppressions add to. */
const textsOf = ({ passages }: TextDocument): readonly Passage[] =>
  passages.filter((it) => it.kind !== "code" || it.exempt?.endsWith("comment") !== true);

/** A comment within a passage leaves its blanks behind. */
const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();

const isSameShape = (a: Passage, b: Passage | undefined): boolean =>
  a.kind === b?.kind && a.exempt === b.exempt && a.headings.length === b.headings.length;

/** Where an offset of the text before stands after the changes; an insertion at the offset moves it. */
function moved(offset: number, changes: readonly Change[]): number {
  return changes.reduce(
    (at, { start, end, newText }) => (end <= offset ? at + newText.length - (end - start) : at),
    offset,
  );
}

const keyOf = ({ rule }: Finding, start: number): string => `${rule}\n${start}`;
