import type { Passage } from "../text/formats/passage.ts";
import { tokenize } from "../text/words/tokens.ts";
import type { Hit } from "./automaton.ts";
import type { CompiledRules } from "./compile-rules.ts";
import { noSection, type Section } from "./teaching.ts";

interface Open {
  discusses: boolean;
  readonly entry: readonly string[];
}

/** Passages of a section that are read for what it speaks about. */
const read = 6;

/** Which sections of a document speak about wordings. A section begins with a heading; its first passages decide. */
export class SectionReader {
  readonly #about: number;
  readonly #sections = new Map<Passage, Open>();
  readonly #byHeadings = new Map<string, Open>();
  #current: Open | undefined;
  #left = 0;

  constructor(rules: CompiledRules) {
    this.#about = rules.set("about-wording");
  }

  add(passage: Passage, hits: readonly Hit[]): void {
    if (passage.kind === "heading") {
      const entry = entryOf(passage.text);
      this.#current = { discusses: false, entry };
      this.#sections.set(passage, this.#current);
      this.#byHeadings.set(headingKey([...passage.headings, passage.text.trim()]), this.#current);
      this.#left = read;
    } else if (this.#current === undefined || this.#left === 0) return;
    if (passage.kind !== "heading") this.#left -= 1;
    if (this.#current !== undefined && passage.kind !== "code" && hits.some((hit) => hit.pattern === this.#about))
      this.#current.discusses = true;
  }

  of(passage: Passage): Section {
    if (passage.kind === "heading") return this.#sections.get(passage) ?? noSection;
    return this.#byHeadings.get(headingKey(passage.headings)) ?? noSection;
  }
}

const headingKey = (headings: readonly string[]): string => headings.slice(-3).join("\n");

/** The words of a heading that is short enough to be an entry. */
function entryOf(text: string): readonly string[] {
  if (text.length > 80) return [];
  const { key, count } = tokenize(text);
  return count > 8 ? [] : key.filter((word) => /[\p{L}]/u.test(word));
}
