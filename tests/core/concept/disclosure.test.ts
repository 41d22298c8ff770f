import { describe, expect, test } from "vitest";
import { neighborhood } from "../../../src/core/queries/neighborhood.ts";
import { relate } from "../../../src/core/queries/relate.ts";
import { resolve } from "../../../src/core/queries/resolve.ts";
import { search } from "../../../src/core/queries/search.ts";
import { suggest } from "../../../src/core/queries/suggest.ts";
import { conceptFull } from "../../../src/core/render/card.ts";
import { conceptMarkdown } from "../../../src/core/render/concept-markdown.ts";
import type { CallerView } from "../../../src/core/snapshot/view.ts";
import { conceptFile, snapshotOf } from "../../support/small-vocabulary.ts";

/** The made-up secret of a made-up concept, with words that stand nowhere else. */
const secret = `aliases: [moonpour]
usage_contexts: [pouring by xylophone light]
examples: [the xylophone was played]
governance: { protocols: [tasters], care: [xylophone care], agent_may: [xylophone], agent_may_not: [xylophone] }
relations: [{ type: enables, to: steep, source: B1, why: xylophone }]
`;
const ocap = (access: string) =>
  `ocap: { relevance: xylophone, ownership: xylophone, access: ${access}, status: not-assessed }\n`;
const open: Record<string, string> = {
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: complements, to: boil, source: B1 }]\n"),
  "craft/boil.yaml": conceptFile("boil"),
};
const withSecret = (access: string) =>
  snapshotOf({
    ...open,
    "craft/night.yaml": conceptFile("night-pour", secret + ocap(access), {
      definition: "Xylophone words that stay inside the circle of tasters.",
    }),
  });
/** The same files with the secret parts never written. */
const withoutSecret = (access: string) =>
  snapshotOf({
    ...open,
    "craft/night.yaml": conceptFile(
      "night-pour",
      `${access === "restricted" ? "aliases: [moonpour]\n" : ""}ocap: { relevance: xylophone, access: ${access}, status: not-assessed }\n`,
    ).replace(/^sources:.*$/m, "sources: []"),
  });
const nobody = { protocols: new Set<string>() };
const taster = { protocols: new Set(["tasters"]) };

/** Every answer the core gives about this vocabulary, as one value. */
function everything(view: CallerView): unknown {
  const all = [...view.concepts.values()];
  return {
    revision: view.revision,
    lookups: all.map((it) => [conceptMarkdown(view, it), conceptFull(view, it)]),
    searches: ["xylophone", "moonpour", "pour", "night", "steep", "circle tasters", "xylophon"].map((query) =>
      search(view, { query }),
    ),
    contexts: search(view, { usageContext: "xylophone" }),
    names: ["moonpour", "moonpuor", "night pour", "nigt pour"].map((it) => resolve(view, it)),
    relations: all.flatMap((a) => all.map((b) => relate(view, a, b, 3))),
    neighborhoods: all.map((it) => neighborhood(view, it, 3)),
    suggestions: ["pouring tea by xylophone light at night", "a moonpour with the tasters"].map((it) =>
      suggest(view, it, 5),
    ),
  };
}

/** Relevance is left as a withheld definition leaves it: only the definition itself may differ. */
const normalized = (value: unknown) =>
  JSON.stringify(value)
    .replace(/"definition":"What cooks call night pour[^"]*"/g, '"definition":null')
    .replaceAll("What cooks call night pour when they write about tea.", "");

describe.each(["restricted", "ceremony_required"])("a concept with access %s", (access) => {
  test("answers a caller without the right as if its withheld parts were never written", () => {
    const written = everything(withSecret(access).viewFor(nobody));
    const absent = everything(withoutSecret(access).viewFor(nobody));
    expect(normalized(written) === normalized(absent)).toBe(true);
    expect(search(withSecret(access).viewFor(nobody), { query: "xylophone" }).total).toBe(0);
  });

  test("names whom to ask", () => {
    const view = withSecret(access).viewFor(nobody);
    const told = view.concepts.get("night-pour")!;
    expect(told.notice).toBe("This is held by the kitchen. It is not told here; please ask them.");
    expect(told.disclosure).toBe(access === "restricted" ? "partial" : "withheld");
    expect(told.withheld).toContain("definition");
    expect(conceptMarkdown(view, told)).toContain("please ask them");
  });

  test("is told in full to a caller who was granted its protocol", () => {
    const view = withSecret(access).viewFor(taster);
    expect(view.concepts.get("night-pour")).toMatchObject({ disclosure: "full", withheld: [], notice: null });
    expect(search(view, { query: "xylophone" }).total).toBe(1);
    expect(view.graph.edgesOf("steep").map((it) => it.to)).toContain("night-pour");
  });

  test("has no relation from its own file for a caller without the right", () => {
    const view = withSecret(access).viewFor(nobody);
    expect(view.graph.edgesOf("night-pour")).toEqual([]);
    expect(view.graph.edgesOf("steep")).toEqual(withoutSecret(access).viewFor(nobody).graph.edgesOf("steep"));
  });
});

test("a withdrawn concept leaves a notice in place of its content, and no relation", () => {
  const withdrawn = 'withdrawn: { at: "2026-11-01", reason: the kitchen asked for it, contact: the head cook }\n';
  const snapshot = snapshotOf({
    "craft/steep.yaml": conceptFile("steep", "relations: [{ type: complements, to: boil, source: B1 }]\n"),
    "craft/boil.yaml": conceptFile("boil", withdrawn),
  });
  const view = snapshot.viewFor(taster);
  const told = view.concepts.get("boil")!;
  expect(told).toMatchObject({ disclosure: "withheld", concept: { definition: null, sources: [] } });
  expect(conceptMarkdown(view, told)).toContain("withdrawn on 2026-11-01: the kitchen asked for it");
  expect(view.graph.edgesOf("steep")).toEqual([]);
});

test("a concept closed without naming a protocol opens to nobody", () => {
  const snapshot = snapshotOf({ "craft/a.yaml": conceptFile("a", ocap("restricted")) });
  expect(snapshot.viewFor({ protocols: new Set(["tasters", ""]) }).concepts.get("a")?.disclosure).toBe("partial");
});
