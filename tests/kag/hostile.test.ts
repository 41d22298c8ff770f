import { beforeAll, describe, expect, test } from "vitest";
import { localCaller } from "../../src/core/concept/caller.ts";
import { resolve } from "../../src/core/queries/resolve.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { errorOnly, reasonReturn } from "./contract.ts";
import { type Kag, kagOver } from "./open-kag.ts";

const size = process.env.IAIP_LONG === "1" ? 12_000 : 3_000;
/** After this a query is given up; what blocks others is measured as a share of it. */
const reasonMs = 2_000;

let kag: Kag;
/** The longest wait that is allowed: a share of the time a query has, and more where this machine is slow by itself. */
let allowed: number;
beforeAll(async () => {
  const relation = (it: number) => `relations: [{ type: grounds, to: c${(it + 1) % size}, proposed_by: tests }]\n`;
  const files = Array.from({ length: size }, (_, it) => [`craft/c${it}.yaml`, conceptFile(`c${it}`, relation(it))]);
  kag = kagOver(snapshotOf(Object.fromEntries(files)), { namespace: "Tea", reasonMs });
  const idle = await meanwhile(() => new Promise((resolve) => setTimeout(resolve, 500)));
  allowed = reasonMs / 5 + 10 * idle.longest;
}, 120_000);

const list = (count: number, each: (index: number) => string, by = ",") =>
  Array.from({ length: count }, (_, it) => each(it)).join(by);
const text = "ab".repeat(5_000);
const long = "ab".repeat(1_000_000);
const ids = (count: number) => Array.from({ length: count }, (_, it) => `c${it}`);

/** Answers of a lookup while a call runs, how long the longest wait between two was, and the call's own outcome. */
async function meanwhile(call: () => Promise<unknown>) {
  const view = kag.snapshot.viewFor(localCaller());
  let answered = 0;
  let longest = 0;
  let last = performance.now();
  let running = true;
  const pinging = (async () => {
    while (running) {
      await new Promise((resume) => setImmediate(resume));
      if (resolve(view, "c1").kind !== "found") throw new Error("the lookup failed");
      answered++;
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  const started = performance.now();
  const outcome = await call();
  const took = performance.now() - started;
  await new Promise((resume) => setImmediate(resume));
  running = false;
  await pinging;
  return { answered, longest, took, outcome };
}

describe("while one hostile query is answered, others are", () => {
  test.each<readonly [string, string, Record<string, unknown>?]>([
    ["the first query of a vocabulary", "MATCH (n) RETURN n.id"],
    ["a pattern of 3,000 nodes that share no name", `MATCH ${list(3_000, (it) => `(n${it})`)} RETURN n0.id`],
    ["a pattern of 9,000 nodes without a name", `MATCH ${list(9_000, () => "()")} RETURN 1`],
    ["a path of 3,000 nodes", `MATCH ${list(3_000, () => "()", "->")} RETURN 1`],
    ["as many nodes as are read", `MATCH ${list(100, (it) => `(n${it})`)} WHERE n0.id = 'c0' RETURN n0.id`],
    ["as long a path as is read", `MATCH ${list(50, (it) => `(n${it})`, "->")} RETURN n0.id`],
    ["many optional paths", `MATCH (a), ${list(33, (it) => `optional (a)->(n${it})`)} RETURN a.id`],
    ["3,000 conditions", `MATCH (n) WHERE ${list(3_000, (it) => `n.id = 'x${it}'`, " or ")} RETURN n.id`],
    ["as many conditions as are read", `MATCH (n) WHERE ${list(500, (it) => `n.id <> 'x${it}'`, " and ")} RETURN n.id`],
    ["a sum of 15,000 numbers", `MATCH (n) WHERE ${list(15_000, () => "1", "+")} > 3 RETURN n.id`],
    ["every two nodes", "MATCH (a), (b) WHERE a.name < b.name RETURN a.id"],
    ["every way along every edge", "MATCH (a)-[p]-{1,16}(b), (b)-[q]-{1,16}(a) RETURN a.id"],
    ["a list of 200,000 ids", "MATCH (n) WHERE n.id in $p RETURN n.id", { p: ids(200_000) }],
    ["as long a list as is read", "MATCH (n) WHERE n.id in $p RETURN n.id", { p: ids(10_000) }],
    ["lists compared", "MATCH (n) WHERE $p = $q RETURN n.id", { p: ids(10_000), q: ids(10_000) }],
    ["a pattern over 2 MB", "MATCH (n) WHERE concat(n.name, $p) rlike '(a|b|ab)*c$' RETURN n.id", { p: long }],
    ["a pattern over long texts", "MATCH (n) WHERE $p rlike '(a|b|ab)*(c|d)$' RETURN n.id", { p: text }],
    ["a pattern of many parts", "MATCH (n) WHERE $p like $q RETURN n.id", { p: text, q: "%a%".repeat(3_000) }],
    [
      "texts that double",
      `MATCH (n) WHERE concat(${list(16, () => `concat(${list(16, () => "$p")})`)}) = 'x' RETURN n.id`,
      { p: text },
    ],
    ["functions of long texts", `MATCH (n) RETURN ${list(100, () => "upper(lower($p))")}`, { p: text }],
    ["100,000 parameters", "MATCH (n) RETURN n.id", Object.fromEntries(ids(100_000).map((it) => [it, 1]))],
    ["a parameter that opens 200,000 lists", "MATCH (n) WHERE $p = 1 RETURN n.id", { p: "[".repeat(200_000) }],
    ["a text that never closes", `MATCH (n) ${"'".repeat(30_001)} RETURN n.id`],
  ])(
    "%s",
    async (_, dsl, params) => {
      const { answered, longest, took, outcome } = await meanwhile(() => kag.call("kag_reason", { dsl, params }));
      const answer = outcome as { kind: string; text: string };
      if (answer.kind === "verbatim") reasonReturn.parse(JSON.parse(answer.text));
      else expect(answer).toMatchObject({ kind: "refused", text: expect.stringMatching(/`params`|too large/) });
      if (process.env.IAIP_LONG === "1")
        console.log(`${_}: ${took.toFixed()} ms, longest wait ${longest.toFixed()} ms`);
      expect(took).toBeLessThan(2 * reasonMs + allowed);
      expect(longest).toBeLessThan(allowed);
      expect(answered).toBeGreaterThan(took / allowed);
    },
    30_000,
  );

  test.each([
    ["a question as long as is read", list(2_000, (it) => `what is C${it}?`, " ")],
    ["a question of one word", "a".repeat(20_000)],
    ["a question of brackets", "<".repeat(20_000)],
  ])(
    "%s, in words",
    async (_, question) => {
      const { longest, took } = await meanwhile(() => kag.call("kag_solve", { question }));
      if (process.env.IAIP_LONG === "1")
        console.log(`${_}: ${took.toFixed()} ms, longest wait ${longest.toFixed()} ms`);
      expect(longest).toBeLessThan(allowed);
    },
    30_000,
  );
});

test("errors stay what the contract says, however large the query", async () => {
  const dsl = `MATCH ${list(9_000, () => "()")} RETURN 1`;
  const answer = reasonReturn.parse(await kag.told("kag_reason", { dsl }));
  expect([answer.status, answer.rows]).toEqual(["ERROR", []]);
  expect(String((answer as { error?: string }).error)).toContain("more than 100 nodes and edges");
  errorOnly.parse(await kag.told("kag_reason", { dsl, project_id: "other" }));
});
