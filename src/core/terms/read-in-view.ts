import type { Concept } from "../concept/concept.ts";
import type { View } from "../snapshot/view.ts";
import { memoByText } from "../text/memo-by-text.ts";
import { type CompiledRules, compileRules, type OwnedRule, type RuleOverrides } from "./compile-rules.ts";
import type { ConceptsView } from "./concepts-view.ts";
import { readTerminology, type TerminologyRequest } from "./read-terminology.ts";
import type { Reading } from "./reading.ts";

export interface ViewRequest extends Omit<TerminologyRequest, "rules" | "concepts" | "off"> {
  /** Severity of single rules in this project, or `off`. */
  readonly overrides?: RuleOverrides;
}

/** Reads a text with the rules and concepts of one view: what the tool, the editor and the command line all call. */
export function readInView(view: View, { overrides = {}, ...request }: ViewRequest): Reading {
  return readTerminology({ ...request, rules: rulesOf(view, overrides), concepts: conceptsOf(view) });
}

const compiled = new WeakMap<View, Map<string, CompiledRules>>();

/** The rules of a view, compiled once for each set of overrides. */
export function rulesOf(view: View, overrides: RuleOverrides = {}): CompiledRules {
  const known = compiled.get(view) ?? new Map<string, CompiledRules>();
  compiled.set(view, known);
  const key = JSON.stringify(Object.entries(overrides).sort());
  const rules =
    known.get(key) ?? compileRules(view.terminology.sets, ownedRules(view), { overrides, sources: view.sources });
  known.set(key, rules);
  return rules;
}

function ownedRules(view: View): OwnedRule[] {
  const own = [...view.concepts.values()].flatMap(({ concept }) =>
    concept.terminology.map((rule): OwnedRule => ({ rule, concept: concept.id })),
  );
  return [...view.terminology.rules.map((rule): OwnedRule => ({ rule })), ...own];
}

const concepts = new WeakMap<View, ConceptsView>();

function conceptsOf(view: View): ConceptsView {
  const known = concepts.get(view);
  if (known !== undefined) return known;
  const made: ConceptsView = {
    find: memoByText((text) => view.names.find(text)),
    // A withheld definition is empty here, as it is everywhere: the reader judges by what was disclosed.
    get: (id) => {
      const told = view.concepts.get(id);
      return told && ({ ...told.concept, definition: told.concept.definition ?? "" } satisfies Concept);
    },
  };
  concepts.set(view, made);
  return made;
}
