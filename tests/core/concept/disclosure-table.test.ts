import fc from "fast-check";
import { expect, test } from "vitest";
import { accessLevels, type Concept, existences, statuses, tiers } from "../../../src/core/concept/concept.ts";
import { disclose } from "../../../src/core/concept/disclosure.ts";
import { parseFile } from "../../../src/core/concept/parse-file.ts";
import { count } from "../../support/counts.ts";
import { conceptFile } from "../../support/small-vocabulary.ts";

const secret = "xylophone";
const base = parseFile(
  "craft/pour.yaml",
  conceptFile(
    "pour",
    `aliases: [tip]
search_names: [${secret}]
usage_contexts: [${secret}]
usage_tags: [${secret}]
examples: [${secret}]
contested: { note: ${secret} }
indigenous_connections: { two_eyed_seeing: ${secret}, ceremonial: { level: none, note: ${secret} }, empty: { relational: not-sourced } }
governance: { care: [${secret}], agent_may: [${secret}], agent_may_not: [${secret}] }
relations: [{ type: enables, to: steep, why: ${secret}, proposed_by: tests }]
`,
    { definition: `The ${secret}.` },
  ),
).value as Concept;

const names = ["tasters", "pourers"] as const;
const row = fc.record({
  tier: fc.constantFrom(...tiers),
  access: fc.constantFrom(...accessLevels),
  existence: fc.constantFrom(...existences),
  status: fc.constantFrom(...statuses),
  withdrawn: fc.boolean(),
  needed: fc.subarray([...names]),
  granted: fc.subarray([...names]),
});

type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

/** The rules of `concepts/README.md`, said once more and independently. */
function expected({ tier, access, existence, withdrawn, needed, granted }: Row): string {
  const isGranted = needed.length > 0 && needed.every((it) => granted.includes(it));
  if (existence === "withheld" && !isGranted) return "nothing";
  if (withdrawn || tier === "boundary") return "withheld";
  if (isGranted || access === "open") return "full";
  if (tier === "pointer" && needed.length === 0) return "full";
  return access === "restricted" ? "partial" : "withheld";
}

test("what a caller is given follows from tier, access, protocols, existence and withdrawal, and not from status", () => {
  fc.assert(
    fc.property(row, (it) => {
      const concept: Concept = {
        ...base,
        tier: it.tier,
        status: it.status,
        existence: it.existence,
        withdrawn: it.withdrawn ? { at: "2026-11-01", reason: "asked", contact: "the head cook" } : null,
        ocap: { ...base.ocap, access: it.access, ownership: secret },
        governance: { ...base.governance, protocols: it.needed },
      };
      const disclosed = disclose(concept, { protocols: new Set(it.granted) });
      expect(disclosed?.disclosure ?? "nothing").toBe(expected(it));
      const isWhole = disclosed?.disclosure === "full";
      expect(JSON.stringify(disclosed ?? {}).includes(secret)).toBe(isWhole);
      if (disclosed !== undefined && (!isWhole || it.tier === "pointer")) expect(disclosed.notice).not.toBeNull();
      expect(disclosed?.withheld.length ?? 0).toBeGreaterThanOrEqual(isWhole || !disclosed ? 0 : 8);
    }),
    { numRuns: count(2_000, 50_000) },
  );
});

test("a relation to what a caller may not know of is absent from what the caller is given", () => {
  const disclosed = disclose(base, { protocols: new Set() }, (id) => id !== "steep");
  expect(disclosed?.concept.relations).toEqual([]);
  expect(disclose(base, { protocols: new Set() })?.concept.relations).toHaveLength(1);
});
