import type { View } from "../core/snapshot/view.ts";
import { type CompiledRules, compileRules, type OwnedRule } from "../core/terms/compile-rules.ts";
import { ruleSchema, terminologySchema } from "../core/terms/rule.ts";
import type { EditorSettings } from "./settings.ts";

/** The rules of a vocabulary with a project's severities, compiled once for each pair. */
export class RuleBook {
  readonly #compiled = new WeakMap<View, Map<string, CompiledRules>>();

  of(view: View, overrides: EditorSettings["rules"]): CompiledRules {
    const byOverrides = this.#compiled.get(view) ?? new Map<string, CompiledRules>();
    this.#compiled.set(view, byOverrides);
    const key = JSON.stringify(overrides);
    const known = byOverrides.get(key);
    if (known !== undefined) return known;
    const rules = compile(view, overrides);
    byOverrides.set(key, rules);
    return rules;
  }
}

function compile(view: View, overrides: EditorSettings["rules"]): CompiledRules {
  const shared = terminologySchema.safeParse(view.terminology ?? {}).data ?? { sets: {}, rules: [] };
  const owned: OwnedRule[] = shared.rules.map((rule) => ({ rule }));
  for (const { concept } of view.concepts.values()) {
    for (const entry of concept.terminology) {
      const read = ruleSchema.safeParse(entry);
      if (read.success) owned.push({ rule: read.data, concept: concept.id });
    }
  }
  return compileRules(shared.sets, owned, { overrides, sources: view.sources });
}
