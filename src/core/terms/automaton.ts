import { formsOf } from "../text/inflection.ts";
import { breaks, type Tokens } from "../text/tokens.ts";
import type { LetterCase, Pattern, PatternSlot, Slot } from "./pattern.ts";

/** A place where a pattern matches, in tokens. `from` and `to` bound what is flagged. */
export interface Hit {
  readonly pattern: number;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export interface Automaton {
  /** All matches of all patterns, by start. Time grows with the text and with what matches, not with the patterns. */
  scan(tokens: Tokens): readonly Hit[];
}

interface Node {
  readonly next: Map<number, Node>;
  /** Reached over a comma or bracket. */
  readonly nextOverComma: Map<number, Node>;
  skip: Node | undefined;
  ends: { pattern: number; from: number; to: number }[] | undefined;
}

interface Edge {
  readonly symbol: number;
  readonly to: number;
}

const newNode = (): Node => ({
  next: new Map(),
  nextOverComma: new Map(),
  skip: undefined,
  ends: undefined,
});

/** `sets` may name each other with `@`. A pattern that names an unknown set never matches. */
export function buildAutomaton(patterns: readonly Pattern[], sets: ReadonlyMap<string, readonly Pattern[]>): Automaton {
  const symbols = new Symbols();
  const setRoot = newNode();
  const root = newNode();
  const choices = new Map<string, number>();
  const setSymbol = (name: string): number => symbols.named(`@${name}`);

  const symbolOf = (slot: Slot): number => {
    if (slot.kind === "word") return symbols.word(slot.word, slot.exact, slot.letterCase);
    if (slot.kind === "set") return setSymbol(slot.name);
    if (slot.kind === "any") return -1;
    const id = JSON.stringify(slot.choices);
    const known = choices.get(id);
    if (known !== undefined) return known;
    const symbol = symbols.named(id);
    choices.set(id, symbol);
    for (const choice of slot.choices) addChoice(choice, symbol);
    return symbol;
  };
  const addChoice = (choice: readonly Slot[], symbol: number): void => {
    const [first] = choice;
    if (first?.kind === "set") {
      for (const entry of expandSet(first.name, sets, new Set())) addEntry(entry, symbol);
    } else
      addPath(
        setRoot,
        choice.map((slot) => ({ slot, optional: false, afterComma: false })),
        symbol,
        symbolOf,
      );
  };
  const addEntry = (entry: Pattern, symbol: number): void => addPath(setRoot, entry.slots, symbol, symbolOf);

  for (const name of sets.keys())
    for (const entry of expandSet(name, sets, new Set())) addEntry(entry, setSymbol(name));
  patterns.forEach((pattern, index) => {
    addPath(root, pattern.slots, index, symbolOf, pattern);
  });
  return { scan: (tokens) => scan(tokens, symbols, setRoot, root) };
}

function expandSet(name: string, sets: ReadonlyMap<string, readonly Pattern[]>, seen: Set<string>): readonly Pattern[] {
  if (seen.has(name)) return [];
  seen.add(name);
  return (sets.get(name) ?? []).flatMap((entry) => {
    const only = entry.slots.length === 1 ? entry.slots[0]?.slot : undefined;
    return only?.kind === "set" ? expandSet(only.name, sets, seen) : [entry];
  });
}

/** Adds every way through the slots: with and without what is optional, with each number of skipped words. */
function addPath(
  root: Node,
  slots: readonly PatternSlot[],
  value: number,
  symbolOf: (slot: Slot) => number,
  pattern: { from: number; to: number } = { from: 0, to: slots.length },
): void {
  const walk = (node: Node, index: number, depth: number, from: number, to: number): void => {
    const begins = index === pattern.from ? depth : from;
    const ends = index === pattern.to ? depth : to;
    const entry = slots[index];
    if (entry === undefined) {
      node.ends ??= [];
      node.ends.push({ pattern: value, from: begins, to: ends });
      return;
    }
    if (entry.optional) walk(node, index + 1, depth, begins, ends);
    if (entry.slot.kind === "any") {
      let at = node;
      walk(at, index + 1, depth, begins, ends);
      for (let step = 1; step <= entry.slot.most; step += 1) {
        at.skip ??= newNode();
        at = at.skip;
        walk(at, index + 1, depth + step, begins, ends);
      }
      return;
    }
    const table = entry.afterComma ? node.nextOverComma : node.next;
    const symbol = symbolOf(entry.slot);
    const child = table.get(symbol) ?? newNode();
    table.set(symbol, child);
    walk(child, index + 1, depth + 1, begins, ends);
  };
  walk(root, 0, 0, 0, 0);
}

class Symbols {
  #count = 0;
  readonly #named = new Map<string, number>();
  readonly #byKey = new Map<string, { symbol: number; letterCase: LetterCase }[]>();

  named(name: string): number {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const symbol = this.#count++;
    this.#named.set(name, symbol);
    return symbol;
  }

  word(word: string, exact: boolean, letterCase: LetterCase): number {
    const name = `${letterCase} ${exact ? "=" : ""}${word}`;
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const symbol = this.named(name);
    for (const form of exact ? [word] : formsOf(word)) {
      const list = this.#byKey.get(form);
      if (list === undefined) this.#byKey.set(form, [{ symbol, letterCase }]);
      else list.push({ symbol, letterCase });
    }
    return symbol;
  }

  of(tokens: Tokens, at: number): readonly number[] {
    const key = tokens.key[at] ?? "";
    const result: number[] = [];
    this.#add(this.#byKey.get(key), tokens, at, result);
    if (key.endsWith("'s")) this.#add(this.#byKey.get(key.slice(0, -2)), tokens, at, result);
    else if (result.length === 0) this.#add(this.#numbers(key), tokens, at, result);
    return result.length === 0 ? nothing : result;
  }

  #add(
    found: readonly { symbol: number; letterCase: LetterCase }[] | undefined,
    tokens: Tokens,
    at: number,
    to: number[],
  ): void {
    if (found === undefined) return;
    for (const { symbol, letterCase } of found) {
      if (letterCase === "any" || letterCase === caseOf(tokens, at)) to.push(symbol);
    }
  }

  /** `#year` and `#number` of a pattern. */
  #numbers(key: string): readonly { symbol: number; letterCase: LetterCase }[] | undefined {
    if (!/^\d+s?$/.test(key)) return undefined;
    const year = /^(?:1[0-9]|20)\d\ds?$/.test(key) ? (this.#byKey.get("#year") ?? []) : [];
    return [...year, ...(this.#byKey.get("#number") ?? [])];
  }
}

const nothing: readonly number[] = [];

function caseOf(tokens: Tokens, at: number): LetterCase {
  const first = tokens.text[tokens.start[at] ?? 0] ?? "";
  return first === first.toLowerCase() ? "lower" : "capital";
}

function scan(tokens: Tokens, symbols: Symbols, setRoot: Node, root: Node): readonly Hit[] {
  const words: (readonly number[])[] = [];
  for (let at = 0; at < tokens.count; at += 1) words.push(symbols.of(tokens, at));
  const edges: Edge[][] = words.map((list, at) => list.map((symbol) => ({ symbol, to: at + 1 })));
  for (let at = tokens.count - 1; at >= 0; at -= 1) {
    if (words[at]?.length === 0) continue;
    addSets(setRoot, at, edges, tokens);
  }
  const hits: Hit[] = [];
  for (let at = 0; at < tokens.count; at += 1) {
    if (edges[at]?.length === 0) continue;
    for (const { pattern, end, from, to } of walkFrom(root, at, edges, tokens)) {
      hits.push({ pattern, start: at, end, from, to });
    }
  }
  return hits;
}

/** Entries of sets may begin with other sets: they are found in rounds, until a round finds nothing new. */
function addSets(root: Node, at: number, edges: readonly Edge[][], tokens: Tokens): void {
  const here = edges[at];
  if (here === undefined) return;
  for (let round = 0; round < 4; round += 1) {
    const before = here.length;
    for (const { pattern, end } of walkFrom(root, at, edges, tokens)) {
      if (!here.some((edge) => edge.symbol === pattern && edge.to === end)) here.push({ symbol: pattern, to: end });
    }
    if (here.length === before) return;
  }
}

interface Walked {
  readonly pattern: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

function walkFrom(root: Node, start: number, edges: readonly (readonly Edge[])[], tokens: Tokens): readonly Walked[] {
  const found = new Map<number, Walked>();
  const places: number[] = [start];
  const visit = (node: Node, at: number, depth: number): void => {
    for (const end of node.ends ?? []) {
      const before = found.get(end.pattern);
      if (before === undefined || before.end < at) {
        found.set(end.pattern, {
          pattern: end.pattern,
          end: at,
          from: places[end.from] ?? start,
          to: end.to > 0 ? (places[end.to] ?? at) : at,
        });
      }
    }
    if (at >= tokens.count) return;
    const gap = depth === 0 ? breaks.none : (tokens.gap[at] ?? 0);
    if (gap >= breaks.clause) return;
    const list = edges[at] ?? [];
    if (gap === breaks.none) follow(node.next, list, depth);
    follow(node.nextOverComma, list, depth);
    if (node.skip !== undefined) {
      places[depth + 1] = at + 1;
      visit(node.skip, at + 1, depth + 1);
    }
  };
  const follow = (table: ReadonlyMap<number, Node>, list: readonly Edge[], depth: number): void => {
    if (table.size === 0) return;
    for (const { symbol, to } of list) {
      const child = table.get(symbol);
      if (child === undefined) continue;
      places[depth + 1] = to;
      visit(child, to, depth + 1);
    }
  };
  visit(root, start, 0);
  return [...found.values()];
}
