import { looseKey, strictKey } from "../words/words.ts";
import { commonWords } from "./name-common-words.ts";
import { formsOf, squash, squashedForms } from "./name-forms.ts";
import { isHardBreak } from "./name-gap.ts";
import { createTokenTrie, type TokenTrieBuilder } from "./name-trie.ts";
import { type Match, walkNames } from "./name-walk.ts";

export type NameKind = "id" | "name" | "alias" | "other-language" | "acronym";

/** One way to call a concept. A concept has several entries; several concepts may share a text. */
export interface NameEntry {
  readonly id: string;
  readonly text: string;
  readonly kind: NameKind;
  /** `exact`: counts in prose only as written; `asked`: never in prose. Questions (`lookup`) are always loose. */
  readonly match: "exact" | "loose" | "asked";
}

export interface Candidate {
  readonly id: string;
  /** The name as its holder writes it. */
  readonly text: string;
  readonly kind: NameKind;
  /** The text is written as the name is: same case, diacritics and hyphens; apostrophe style aside. */
  readonly exact: boolean;
}

/** A place where a text names a concept, in UTF-16 units. The possessive `'s` is outside, a plural ending inside. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** One for each concept, best first: as written, then by kind, then by id. */
  readonly candidates: readonly Candidate[];
  readonly exact: boolean;
}

export interface NameMatcher {
  /**
   * Whom a whole string names: case, diacritics, apostrophes, hyphens, spaces, underscores and plural do not matter.
   * A string that is an id names that concept alone. None when nothing is so called, several when the name is shared.
   */
  lookup(query: string): readonly Candidate[];
  /** Mentions in reading order: the leftmost first, the longest from there, none overlapping. Linear. */
  find(text: string, from?: number, to?: number): readonly Mention[];
  /** The mention at an offset, its end included: what `find` over the whole text would give there. */
  at(text: string, offset: number): Mention | undefined;
}

export function buildNameMatcher(entries: readonly NameEntry[]): NameMatcher {
  const trie = createTokenTrie();
  const inProse = entries.filter((it) => it.match !== "asked");
  const ends = fillTrie(trie, inProse);
  const capitalsOnly = findCapitalsOnly(inProse);
  const isBreak = breaksOf(inProse);
  let index: LookupIndex | undefined;

  const accept = (match: Match, text: string): Mention | undefined => {
    const called = ends[match.value] ?? [];
    const { start, end } = withSigns(text, match, called);
    const written = text.slice(start, end);
    const strict = strictKey(written);
    const counted = called.filter((entry) => counts(entry, strict, written, capitalsOnly));
    if (counted.length === 0) return undefined;
    const candidates = rank(counted, strict);
    return { start, end, candidates, exact: candidates[0]?.exact ?? false };
  };
  const find = (text: string, from = 0, to = text.length): readonly Mention[] =>
    walkNames(trie, text, from, to, (match) => accept(match, text));

  return {
    find,
    at(text, offset) {
      const near = find(text, segmentStart(text, offset, isBreak), segmentEnd(text, offset, isBreak));
      return near.find((m) => m.start <= offset && offset < m.end) ?? near.find((m) => m.end === offset);
    },
    lookup(query) {
      index ??= buildLookupIndex(entries);
      const trimmed = query.trim();
      const own = index.ids.get(trimmed);
      if (own !== undefined) return rank([own], strictKey(trimmed));
      const key = squash(query);
      return rank(index.plain.get(key) ?? index.plural.get(key) ?? [], strictKey(trimmed));
    },
  };
}

/** `'Namgis`, `Quw'utsun'` and `OCAP®` begin or end with a sign that belongs to the name. */
function withSigns(text: string, match: Match, called: readonly NameEntry[]): { start: number; end: number } {
  const before = match.start > 0 && isApostrophe(text[match.start - 1]);
  const opens = before && called.some((entry) => isApostrophe(entry.text[0]));
  const closes = called.some((entry) => isClosedBy(entry.text, text[match.end]));
  return { start: opens ? match.start - 1 : match.start, end: closes ? match.end + 1 : match.end };
}

function isClosedBy(name: string, character: string | undefined): boolean {
  const last = name.at(-1);
  if (isApostrophe(last)) return isApostrophe(character);
  return last !== undefined && /[®™]/.test(last) && last === character;
}

const isApostrophe = (character: string | undefined): boolean => character !== undefined && /['’‘ʻʼ´`]/.test(character);

interface LookupIndex {
  readonly ids: ReadonlyMap<string, NameEntry>;
  readonly plain: ReadonlyMap<string, readonly NameEntry[]>;
  readonly plural: ReadonlyMap<string, readonly NameEntry[]>;
}

function buildLookupIndex(entries: readonly NameEntry[]): LookupIndex {
  const ids = new Map<string, NameEntry>();
  const plain = new Map<string, NameEntry[]>();
  const plural = new Map<string, NameEntry[]>();
  for (const entry of entries) {
    if (entry.kind === "id") ids.set(entry.text, entry);
    const keys = squashedForms(entry.text, inflects(entry));
    push(plain, keys.plain, entry);
    for (const key of keys.plural) push(plural, key, entry);
  }
  plain.delete("");
  return { ids, plain, plural };
}

function fillTrie(trie: TokenTrieBuilder, entries: readonly NameEntry[]): readonly (readonly NameEntry[])[] {
  const ends: NameEntry[][] = [];
  for (const entry of entries) {
    for (const form of formsOf(entry.text, inflects(entry) && entry.match === "loose")) {
      const node = trie.nodeFor(form.tokens);
      const value = trie.valueAt(node);
      if (value < 0) {
        trie.setValue(node, ends.length);
        ends.push([entry]);
      } else if (!ends[value]?.includes(entry)) ends[value]?.push(entry);
    }
  }
  return ends;
}

/** English endings belong to English words only. */
const inflects = (entry: NameEntry): boolean => entry.kind !== "other-language";

const concern = (entry: NameEntry): string => `${entry.id}\n${looseKey(entry.text)}`;

/** Acronyms of at most four letters that spell a common word, and the ids and aliases that spell them too. */
function findCapitalsOnly(entries: readonly NameEntry[]): ReadonlySet<string> {
  const acronyms = entries.filter(
    (entry) => /^[A-Z]{2,4}$/.test(entry.text) && commonWords.has(entry.text.toLowerCase()),
  );
  return new Set(acronyms.map(concern));
}

function counts(entry: NameEntry, strict: string, written: string, capitalsOnly: ReadonlySet<string>): boolean {
  // An id of one word is a word of the language; prose means it only where a name of the concept says so.
  if (entry.kind === "id" && !entry.text.includes("-")) return false;
  if (entry.match === "exact" && strictKey(entry.text) !== strict) return false;
  return capitalsOnly.size === 0 || written.length > 6 || isCapitals(written) || !capitalsOnly.has(concern(entry));
}

const isCapitals = (written: string): boolean => /^[A-Z]{2,}(?:s|es)?$/.test(written);

const kindOrder: readonly NameKind[] = ["id", "name", "other-language", "acronym", "alias"];

/** One candidate for each concept, in an order that the order of the entries does not change. */
function rank(entries: readonly NameEntry[], strict: string): readonly Candidate[] {
  const candidates = entries
    .map((entry) => ({ id: entry.id, text: entry.text, kind: entry.kind, exact: strictKey(entry.text) === strict }))
    .sort(
      (a, b) =>
        Number(b.exact) - Number(a.exact) ||
        kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
        compare(a.id, b.id) ||
        compare(a.text, b.text),
    );
  const seen = new Set<string>();
  return candidates.filter((candidate) => !seen.has(candidate.id) && seen.add(candidate.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Far enough for any name; a text without punctuation is cut there. */
const reach = 4096;

type IsBreak = (text: string, at: number) => boolean;

/** Where no name of these reaches over: hard punctuation, but for what stands inside one of the names. */
function breaksOf(entries: readonly NameEntry[]): IsBreak {
  const inside = new Set<string>();
  for (const { text } of entries)
    for (let i = 1; i < text.length - 1; i++) if (isHardBreak(text, i)) inside.add(text.charAt(i));
  return (text, at) => isHardBreak(text, at) && !inside.has(text.charAt(at));
}

function segmentStart(text: string, offset: number, isBreak: IsBreak): number {
  const floor = Math.max(0, offset - reach);
  let at = Math.min(offset, text.length);
  while (at > floor && !isBreak(text, at - 1)) at -= 1;
  return at;
}

function segmentEnd(text: string, offset: number, isBreak: IsBreak): number {
  const ceiling = Math.min(text.length, offset + reach);
  let at = Math.max(0, offset);
  while (at < ceiling && !isBreak(text, at)) at += 1;
  return at;
}

function push(map: Map<string, NameEntry[]>, key: string, entry: NameEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
