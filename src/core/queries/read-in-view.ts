import { memoByText } from "../../base/memo-by-text.ts";
import { finish, type Steps } from "../../base/steps.ts";
import type { Concept } from "../concept/concept.ts";
import type { CallerView } from "../snapshot/view.ts";
import { type CompiledRules, compileRules, type OwnedRule, type RuleOverrides } from "../terms/compile-rules.ts";
import type { ConceptsView } from "../terms/concepts-view.ts";
import { type TerminologyRequest, terminologySteps } from "../terms/read-terminology.ts";
import type { Reading } from "../terms/reading.ts";

export interface ViewRequest extends Omit<TerminologyRequest, "rules" | "concepts" | "off"> {
  /** Severity of single rules in this project, or `off`. */
  readonly overrides?: RuleOverrides;
}

/** Reads a text with the rules and concepts of one view: what the tool, the editor and the command line all call. */
export const readInView = (view: CallerView, request: ViewRequest): Reading => finish(readingSteps(view, request));

/** The same in steps, for who answers others meanwhile. */
export function readingSteps(view: CallerView, { overrides = {}, ...request }: ViewRequest): Steps<Reading> {
  return terminologySteps({ ...request, rules: rulesOf(view, overrides), concepts: view.once(conceptsOf) });
}

/** The rules of a view, compiled once for each set of overrides. */
export function rulesOf(view: CallerView, overrides: RuleOverrides = {}): CompiledRules {
  const known = view.once(compiledRules);
  const key = JSON.stringify(Object.entries(overrides).sort());
  const rules =
    known.get(key) ?? compileRules(view.terminology.sets, ownedRules(view), { overrides, sources: view.sources });
  known.set(key, rules);
  return rules;
}

/** By overrides, as each project file may have its own. */
function compiledRules(): Map<string, CompiledRules> {
  return new Map();
}

function ownedRules(view: CallerView): OwnedRule[] {
  const own = [...view.concepts.values()].flatMap(({ concept }) =>
    concept.terminology.map((rule): OwnedRule => ({ rule, concept: concept.id })),
  );
  return [...view.terminology.rules.map((rule): OwnedRule => ({ rule })), ...own];
}

function conceptsOf(view: CallerView): ConceptsView {
  return {
    find: memoByText((text) => view.names.find(text)),
    // A withheld definition is empty here, as it is everywhere: the reader judges by what was disclosed.
    get: (id) => {
      const disclosed = view.concepts.get(id);
      return disclosed && ({ ...disclosed.concept, definition: disclosed.concept.definition ?? "" } satisfies Concept);
    },
  };
}
