import type { Disclosed } from "../../core/concept/disclosure.ts";
import { clipped } from "../clipped.ts";

export interface CitedDocument {
  readonly id: string;
  readonly content: string;
  readonly document_id: string;
  readonly document_name: string;
  readonly url: string;
}

/** Passages and the tags that cite them. Only what was cited is returned, so that tags and passages answer each other. */
export class Citations {
  readonly #documents = new Map<string, CitedDocument>();

  /** The tag for a concept, the same each time. */
  cite({ concept, notice }: Disclosed): string {
    const known = this.#documents.get(concept.id);
    const id = known?.id ?? `chunk:0_${this.#documents.size + 1}`;
    if (!known) {
      this.#documents.set(concept.id, {
        id,
        content: passage([concept.by_line, concept.definition, notice]),
        document_id: concept.id,
        document_name: concept.name,
        url: `iaip://concepts/${concept.id}`,
      });
    }
    return tag(id);
  }

  get documents(): readonly CitedDocument[] {
    return [...this.#documents.values()];
  }
}

export type Reference = readonly {
  readonly id: string;
  readonly type: string;
  readonly info: readonly CitedDocument[];
}[];

/** The documents that an answer cites, in the shape hosts return them; their passages shortened to fit in `bytes` of JSON. */
export function referenceOf(answer: string, documents: readonly CitedDocument[], bytes: number): Reference {
  const cited = citedIn(answer);
  const whole = documents.filter((it) => cited.has(it.id));
  const fits = (most: number): boolean => Buffer.byteLength(JSON.stringify(shortened(whole, most))) <= bytes;
  const most = [Number.POSITIVE_INFINITY, 600, 400, 250, 160].find(fits) ?? 100;
  const info = shortened(whole, most);
  return info.length === 0 ? [] : [{ id: "reference_ref_format", type: "chunk", info }];
}

function shortened(documents: readonly CitedDocument[], most: number): readonly CitedDocument[] {
  return documents.map((it) => ({ ...it, content: clipped(it.content, most) }));
}

export function citedIn(answer: string): ReadonlySet<string> {
  return new Set(Array.from(answer.matchAll(tagPattern), (it) => it[1] ?? ""));
}

/** The answer without tags that cite nothing known, closed as hosts close them. */
export function withKnownTags(answer: string, documents: readonly CitedDocument[]): string {
  const known = new Set(documents.map((it) => it.id));
  return answer.replaceAll(looseTag, (_whole, id: string | undefined) =>
    id !== undefined && known.has(id) ? tag(id) : "",
  );
}

/** Text in which nothing can be taken for a tag. */
export function untagged(text: string): string {
  return text.replaceAll(/<(?=\/?reference\b)/gi, "‹");
}

function passage(parts: readonly (string | null)[]): string {
  return untagged(
    parts
      .filter((it) => it !== null)
      .join(". ")
      .replaceAll(/\.\. /g, ". "),
  );
}

function tag(id: string): string {
  return `<reference id="${id}"></reference>`;
}

const tagPattern = /<reference id="([^"]*)"><\/reference>/g;
/** What models make of a tag: other quotes, self-closed, unclosed. */
const looseTag = /<\/?reference(?:\s+id\s*=\s*["'“”]?([\w:.-]+)["'“”]?)?\s*\/?>(?:\s*<\/reference>)?/gi;
