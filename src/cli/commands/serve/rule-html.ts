import type { SnapshotSource } from "../../../core/ports.ts";
import { rulesOf } from "../../../core/queries/read-in-view.ts";
import { rulePage } from "../../../core/terms/rule-page.ts";

/** The page of a rule as HTML, for whoever follows a finding's link; `undefined` where there is no such rule. */
export function ruleHtml(source: SnapshotSource): (id: string) => string | undefined {
  return (id) => {
    if (source.snapshot.sequence === 0) return undefined;
    const rules = rulesOf(source.snapshot.viewFor({ protocols: new Set() }));
    const rule = rules.byId.get(id);
    return rule && page(id, rulePage(rule, rules));
  };
}

function page(title: string, markdown: string): string {
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>`,
    "<style>body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui}pre{white-space:pre-wrap;font:inherit}</style>",
    `</head><body><pre>${escaped(markdown)}</pre></body></html>`,
  ].join("");
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (it) => entities[it]!);
}
