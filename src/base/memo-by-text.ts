/**
 * Remembers what was made of recent texts, so that reading a document again after one edit costs one paragraph. `make`
 * must be pure and its results are shared: nobody may change them. Keeps at most twice `most` UTF-16 units of text, an
 * entry counting for some.
 */
export function memoByText<T>(make: (text: string) => T, most = 1_000_000): (text: string) => T {
  let young = new Map<string, T>();
  let old: ReadonlyMap<string, T> = new Map();
  let units = 0;
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const made = old.get(text) ?? make(text);
    units += text.length + entryCost;
    if (units > most) {
      old = young;
      young = new Map();
      units = text.length + entryCost;
    }
    young.set(text, made);
    return made;
  };
}

/** What an entry takes beside its text, in units of text. */
const entryCost = 100;
