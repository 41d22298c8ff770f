import type { Vocabulary } from "../core/concept/vocabulary.ts";

/** The host's rule for namespaces. */
export const namespacePattern = /^[A-Za-z][A-Za-z0-9]{2,63}$/;

/** `iaip` is IAIP, `river-words` is RiverWords: short single words are initials, longer names are joined. */
export function namespaceOf({ name }: Pick<Vocabulary, "name">): string {
  const words = name.split("-");
  const joined = words.length === 1 && name.length <= 4 ? name.toUpperCase() : words.map(capitalized).join("");
  const lettered = /^[A-Za-z]/.test(joined) ? joined : `V${joined}`;
  return (lettered.length < 3 ? `${lettered}Vocabulary` : lettered).slice(0, 64);
}

/**
 * The full type name of each category: the namespace, a dot, and the category's words joined (`Feeling/Capacity` is
 * `IAIP.FeelingCapacity`). Letters and digits only; two categories never share one.
 */
export function typeNames(
  { categories }: Pick<Vocabulary, "categories">,
  namespace: string,
): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    categories.map(({ id }) => {
      const plain = typeName(id);
      let name = plain;
      for (let n = 2; taken.has(name); n++) name = `${plain}${n}`;
      taken.add(name);
      return [id, `${namespace}.${name}`];
    }),
  );
}

function typeName(category: string): string {
  const words =
    category
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map(capitalized).join("");
  return joined === "" ? "Category" : /^[A-Za-z]/.test(joined) ? joined : `C${joined}`;
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
