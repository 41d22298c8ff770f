import type { Disclosed } from "../../core/concept/disclosure.ts";
import { type CallerView, nameEntries } from "../../core/snapshot/view.ts";
import type { NameEntry } from "../../core/text/names/name-matcher.ts";
import { looseKey } from "../../core/text/words/words.ts";

export interface IndexedName {
  /** Loose words joined by one space; the index is sorted by it. */
  readonly key: string;
  readonly entry: NameEntry;
}

/** The names of a view in the order of their loose keys, for prefixes. Made once for each view. */
export class NameIndex {
  of(view: CallerView): readonly IndexedName[] {
    return view.once(sortedNames);
  }

  /** Names whose loose key begins with `prefix`, in key order, at most `most` and one more when there are more. */
  startingWith(view: CallerView, prefix: string, max: number): readonly IndexedName[] {
    const names = this.of(view);
    let low = 0;
    let high = names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((names[middle]?.key ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    const found: IndexedName[] = [];
    for (let at = low; at < names.length && found.length <= max; at += 1) {
      const name = names[at];
      if (name === undefined || !name.key.startsWith(prefix)) break;
      found.push(name);
    }
    return found;
  }
}

function sortedNames(view: CallerView): readonly IndexedName[] {
  return [...view.concepts.values()].flatMap(indexed).sort(byKey);
}

const indexed = (disclosed: Disclosed): readonly IndexedName[] =>
  nameEntries(disclosed).map((entry) => ({ key: looseKey(entry.text), entry }));

function byKey(a: IndexedName, b: IndexedName): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.entry.id < b.entry.id ? -1 : a.entry.id > b.entry.id ? 1 : 0;
}
