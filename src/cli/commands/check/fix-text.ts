import { type DecodedText, decodeText } from "../../../base/decode-text.ts";
import type { Finding, Reading } from "../../../core/terms/reading.ts";

/** What `--fix` made of a text. */
export interface Fixed {
  readonly reading: Reading;
  /** How many replacements were made. */
  readonly count: number;
  /** The bytes with the replacements, where there are any: all others are as they were. */
  readonly bytes?: Buffer;
  /** Why a replacement could not be made. */
  readonly notice?: string;
}

/**
 * Makes the replacements that are always right, in the text's own encoding. Each leaves its finding gone and no other
 * in its place; one that does not is not made.
 */
export async function fixText(bytes: Buffer, read: (text: string) => Promise<Reading>): Promise<Fixed> {
  const decoded = decodeText(bytes);
  const { text } = decoded;
  const reading = await read(text);
  const fixable = reading.findings.filter(({ fix, text: flagged }) => fix !== undefined && fix !== flagged);
  if (fixable.length === 0) return { reading, count: 0 };
  if (decoded.encode(text)?.equals(bytes) !== true)
    return { reading, count: 0, notice: `its bytes are not valid ${decoded.encoding}, so it was not changed` };
  const made = await madeFixes(text, reading, fixable, read);
  if (made.fixes.length === 0) return { reading, count: 0, notice: "no replacement stands there as it should" };
  return encoded(decoded, reading, made);
}

interface Made {
  readonly text: string;
  readonly reading: Reading;
  readonly fixes: readonly Finding[];
}

function encoded({ encoding, encode }: DecodedText, before: Reading, { text, reading, fixes }: Made): Fixed {
  const bytes = encode(text);
  return bytes === undefined
    ? { reading: before, count: 0, notice: `${encoding} has no room for a replacement, so it was not changed` }
    : { reading, count: fixes.length, bytes };
}

/** All at once where that does what it should, else one after another. */
async function madeFixes(
  text: string,
  before: Reading,
  fixable: readonly Finding[],
  read: (text: string) => Promise<Reading>,
): Promise<Made> {
  const attempt = async (fixes: readonly Finding[]): Promise<Made | undefined> => {
    const changed = applyFixes(text, fixes);
    const reading = await read(changed);
    return isRight(before, reading, fixes) ? { text: changed, reading, fixes } : undefined;
  };
  const all = await attempt(fixable);
  if (all !== undefined) return all;
  let made: Made = { text, reading: before, fixes: [] };
  for (const fix of fixable.slice(0, maxSingle)) made = (await attempt([...made.fixes, fix])) ?? made;
  return made;
}

/** So many are tried one after another: each is a reading of the whole text. */
const maxSingle = 200;

export function applyFixes(text: string, fixes: readonly Finding[]): string {
  return [...fixes]
    .sort((a, b) => b.start - a.start)
    .reduce((changed, { start, end, fix = "" }) => changed.slice(0, start) + fix + changed.slice(end), text);
}

function isRight(before: Reading, after: Reading, fixes: readonly Finding[]): boolean {
  const moved = (offset: number): number =>
    fixes.reduce((at, { start, end, fix = "" }) => (end <= offset ? at + fix.length - (end - start) : at), offset);
  const key = ({ rule }: Finding, start: number): string => `${rule} ${start}`;
  const left = new Set(before.findings.filter((it) => !fixes.includes(it)).map((it) => key(it, moved(it.start))));
  return (
    after.findings.every((it) => left.has(key(it, it.start))) &&
    after.unused_suppressions.length <= before.unused_suppressions.length
  );
}
