import type { LetterCase } from "../concept/pattern.ts";
import { formsOf } from "../text/words/inflection.ts";
import type { Tokens } from "../text/words/tokens.ts";

/** What one written word means to the patterns: the symbols it stands for, sets of which it is an entry included. */
export interface WordSymbols {
  readonly list: readonly number[];
  has(symbol: number): boolean;
}

export const noSymbols: WordSymbols = { list: [], has: () => false };

/** Numbers the words and sets of all patterns, and says which of them a written word stands for. */
export class Symbols {
  #count = 0;
  readonly #named = new Map<string, number>();
  readonly #byForm = new Map<string, { symbol: number; letterCase: LetterCase }[]>();
  /** Sets that a word symbol alone is an entry of. */
  readonly #sets = new Map<number, Set<number>>();
  readonly #known = new Map<string, { readonly lower: WordSymbols; readonly capital: WordSymbols }>();

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
      const list = this.#byForm.get(form);
      if (list === undefined) this.#byForm.set(form, [{ symbol, letterCase }]);
      else list.push({ symbol, letterCase });
    }
    return symbol;
  }

  addToSet(word: number, set: number): void {
    const sets = this.#sets.get(word);
    if (sets === undefined) this.#sets.set(word, new Set([set]));
    else sets.add(set);
  }

  /** The symbols of a token. Only words that some pattern knows are remembered, so hostile text fills no table. */
  of(tokens: Tokens, at: number): WordSymbols {
    const key = tokens.key[at] ?? "";
    let known = this.#known.get(key);
    if (known === undefined) {
      const found = this.#find(key);
      if (found.length === 0) return noSymbols;
      known = { lower: this.#expand(found, "lower"), capital: this.#expand(found, "capital") };
      if (!/^\d/.test(key)) this.#known.set(key, known);
    }
    const first = tokens.text.charCodeAt(tokens.start[at] ?? 0);
    return (first >= 0x61 && first <= 0x7a) || !isUpper(tokens.text, tokens.start[at] ?? 0)
      ? known.lower
      : known.capital;
  }

  #find(key: string): readonly { symbol: number; letterCase: LetterCase }[] {
    const own = this.#byForm.get(key) ?? [];
    // French elides: `l'écart` is `écart`.
    const elided = /^(?:l|d|qu|n|s|j|c|m|t|jusqu|lorsqu)'(.{2,})$/.exec(key)?.[1];
    if (elided !== undefined) return [...own, ...(this.#byForm.get(elided) ?? [])];
    if (key.endsWith("'s")) return [...own, ...(this.#byForm.get(key.slice(0, -2)) ?? [])];
    return own.length > 0 || !/^\d+s?$/.test(key) ? own : this.#numbers(key);
  }

  /** `#year` and `#number` of a pattern. */
  #numbers(key: string): readonly { symbol: number; letterCase: LetterCase }[] {
    const year = /^(?:1[0-9]|20)\d\ds?$/.test(key) ? (this.#byForm.get("#year") ?? []) : [];
    return [...year, ...(this.#byForm.get("#number") ?? [])];
  }

  #expand(found: readonly { symbol: number; letterCase: LetterCase }[], letterCase: LetterCase): WordSymbols {
    const all = new Set<number>();
    for (const entry of found) {
      if (entry.letterCase !== "any" && entry.letterCase !== letterCase) continue;
      all.add(entry.symbol);
      for (const set of this.#sets.get(entry.symbol) ?? []) all.add(set);
    }
    return all.size === 0 ? noSymbols : { list: [...all], has: (symbol) => all.has(symbol) };
  }
}

const isUpper = (text: string, at: number): boolean => /^\p{Lu}|^\p{Lt}/u.test(text.slice(at, at + 2));
