import type { Pattern, PatternSlot, Slot } from "../concept/pattern.ts";
import { breaks, type Tokens } from "../text/words/tokens.ts";
import { noSymbols, Symbols, type WordSymbols } from "./symbols.ts";

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

const newNode = (): Node => ({ next: new Map(), nextOverComma: new Map(), skip: undefined, ends: undefined });

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
    if (first?.kind === "set") for (const entry of entriesOf(first.name)) addEntry(entry, symbol);
    else addEntry(choice.map(required), symbol);
  };
  const addEntry = (slots: readonly PatternSlot[], symbol: number): void => {
    const only = slots.length === 1 ? slots[0]?.slot : undefined;
    if (only?.kind === "word") symbols.addToSet(symbolOf(only), symbol);
    else addPath(setRoot, slots, symbol, symbolOf);
  };
  const expanded = new Map<string, readonly (readonly PatternSlot[])[]>();
  const entriesOf = (name: string): readonly (readonly PatternSlot[])[] => {
    const known = expanded.get(name) ?? expandSet(name, sets, new Set());
    expanded.set(name, known);
    return known;
  };

  for (const name of sets.keys()) {
    for (const entry of entriesOf(name)) addEntry(entry, setSymbol(name));
  }
  patterns.forEach((pattern, index) => {
    addPath(root, pattern.slots, index, symbolOf, pattern);
  });
  return { scan: (tokens) => scan(tokens, symbols, setRoot, root) };
}

const required = (slot: Slot): PatternSlot => ({ slot, optional: false, afterComma: false });

/** The entries of a set and of the sets it names: each set once, so that a circle ends, and no more than `maxExpandedSets`. */
function expandSet(
  name: string,
  sets: ReadonlyMap<string, readonly Pattern[]>,
  seen: Set<string>,
): readonly (readonly PatternSlot[])[] {
  if (seen.has(name) || seen.size >= maxExpandedSets) return [];
  seen.add(name);
  const into: (readonly PatternSlot[])[] = [];
  const named = (other: string): void => {
    for (const entry of expandSet(other, sets, seen)) into.push(entry);
  };
  for (const { slots } of sets.get(name) ?? []) {
    const only = slots.length === 1 ? slots[0]?.slot : undefined;
    if (only?.kind === "set") named(only.name);
    else if (only?.kind === "choice") {
      for (const choice of only.choices) {
        const [first] = choice;
        if (first?.kind === "set") named(first.name);
        else into.push(choice.map(required));
      }
    } else into.push(slots);
  }
  return into;
}

/** Sets that one set may come to name, those it names by others included. */
const maxExpandedSets = 512;

/** Adds every way through the slots: with and without what is optional, with each number of skipped words. */
function addPath(
  root: Node,
  slots: readonly PatternSlot[],
  value: number,
  symbolOf: (slot: Slot) => number,
  pattern: { from: number; to: number } = { from: 0, to: slots.length },
): void {
  const symbols = slots.map(({ slot }) => symbolOf(slot));
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
    const symbol = symbols[index] ?? -1;
    const child = table.get(symbol) ?? newNode();
    table.set(symbol, child);
    walk(child, index + 1, depth + 1, begins, ends);
  };
  walk(root, 0, 0, 0, 0);
}

/** What stands at a token: the symbols of its word, and the longer entries of sets that begin there. */
interface Place {
  readonly word: WordSymbols;
  readonly longer: { readonly symbol: number; readonly to: number }[];
}

const nowhere: Place = { word: noSymbols, longer: [] };

function scan(tokens: Tokens, symbols: Symbols, setRoot: Node, root: Node): readonly Hit[] {
  const places: Place[] = [];
  for (let at = 0; at < tokens.count; at += 1) {
    const word = symbols.of(tokens, at);
    places.push(word === noSymbols ? nowhere : { word, longer: [] });
  }
  const walker = new Walker(tokens, places);
  for (let at = tokens.count - 1; at >= 0; at -= 1) if (places[at] !== nowhere) addSets(setRoot, at, walker);
  const hits: Hit[] = [];
  for (let at = 0; at < tokens.count; at += 1) if (places[at] !== nowhere) walker.from(root, at, hits);
  return hits;
}

/** Entries of sets may begin with other sets: they are found in rounds, until a round finds nothing new. */
function addSets(root: Node, at: number, walker: Walker): void {
  const here = walker.places[at];
  if (here === undefined) return;
  for (let round = 0; round < 4; round += 1) {
    const before = here.longer.length;
    const found: Hit[] = [];
    walker.from(root, at, found);
    for (const { pattern, end } of found) {
      if (!here.longer.some((entry) => entry.symbol === pattern && entry.to === end)) {
        here.longer.push({ symbol: pattern, to: end });
      }
    }
    if (here.longer.length === before) return;
  }
}

/** Word by word, only one way leads to a node; entries of several words let more ways lead to it. */
type Way = "by-word" | "by-entry";

/** Walks a trie from one token. Depth and width are those of the patterns, so a step costs the same in any text. */
class Walker {
  readonly #tokens: Tokens;
  readonly places: readonly Place[];
  /** The token before each slot on the way. */
  readonly #path: number[] = [];
  /** Tokens at which a node was reached from this start over an entry of several words. */
  readonly #reached = new Map<Node, Set<number>>();
  #start = 0;
  #into: Hit[] = [];
  #first = 0;

  constructor(tokens: Tokens, places: readonly Place[]) {
    this.#tokens = tokens;
    this.places = places;
  }

  /** Adds the matches from `start`, the longest of each pattern. */
  from(root: Node, start: number, into: Hit[]): void {
    this.#start = start;
    this.#into = into;
    this.#first = into.length;
    this.#path[0] = start;
    if (this.#reached.size > 0) this.#reached.clear();
    this.#visit(root, start, 0, "by-word");
  }

  #visit(node: Node, at: number, depth: number, way: Way): void {
    if (node.ends !== undefined) this.#end(node.ends, at);
    const { count, gap } = this.#tokens;
    if (at >= count) return;
    const parted = depth === 0 ? breaks.none : (gap[at] ?? 0);
    if (parted >= breaks.clause) return;
    const place = this.places[at] ?? nowhere;
    if (place !== nowhere) {
      if (parted === breaks.none) this.#follow(node.next, place, at, depth, way);
      this.#follow(node.nextOverComma, place, at, depth, way);
    }
    if (node.skip !== undefined) this.#step(node.skip, at + 1, depth, way);
  }

  #follow(table: ReadonlyMap<number, Node>, place: Place, at: number, depth: number, way: Way): void {
    if (table.size === 0) return;
    const { list } = place.word;
    if (table.size < list.length) {
      for (const [symbol, child] of table) if (place.word.has(symbol)) this.#step(child, at + 1, depth, way);
    } else {
      for (const symbol of list) {
        const child = table.get(symbol);
        if (child !== undefined) this.#step(child, at + 1, depth, way);
      }
    }
    for (const { symbol, to } of place.longer) {
      const child = table.get(symbol);
      if (child !== undefined) this.#step(child, to, depth, "by-entry");
    }
  }

  /** A second way to the same node and token finds only what the first one did, so it is not taken. */
  #step(child: Node, to: number, depth: number, way: Way): void {
    if (way === "by-entry") {
      const reached = this.#reached.get(child);
      if (reached === undefined) this.#reached.set(child, new Set([to]));
      else if (reached.has(to)) return;
      else reached.add(to);
    }
    this.#path[depth + 1] = to;
    this.#visit(child, to, depth + 1, way);
  }

  #end(ends: NonNullable<Node["ends"]>, at: number): void {
    for (const end of ends) {
      const hit: Hit = {
        pattern: end.pattern,
        start: this.#start,
        end: at,
        from: this.#path[end.from] ?? this.#start,
        to: end.to > 0 ? (this.#path[end.to] ?? at) : at,
      };
      const known = this.#knownAt(end.pattern);
      if (known < 0) this.#into.push(hit);
      else if ((this.#into[known]?.end ?? 0) < at) this.#into[known] = hit;
    }
  }

  #knownAt(pattern: number): number {
    for (let index = this.#into.length - 1; index >= this.#first; index -= 1) {
      if (this.#into[index]?.pattern === pattern) return index;
    }
    return -1;
  }
}
