import { beforeAll, describe, expect, test } from "vitest";
import { buildQueryGraph, type QueryGraph } from "../../src/kag/query/query-graph.ts";
import { reason } from "../../src/kag/reason.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { errorOnly, reasonReturn } from "./contract.ts";
import { type Kag, kagOver, shippedSnapshot } from "./open-kag.ts";
import { noHurry } from "./small-graph.ts";

let shipped: Kag;
beforeAll(async () => {
  shipped = kagOver(await shippedSnapshot());
});

const ask = async (dsl: string, params?: unknown) =>
  reasonReturn.parse(await shipped.told("kag_reason", { dsl, params }));

/** So many nodes in a ring, each also knowing the next but one. */
function ring(size: number): QueryGraph {
  const id = (index: number): string => `n${index % size}`;
  return buildQueryGraph({
    types: ["Ns.T"],
    labels: [{ id: "next", inverse: "previous", symmetric: false }],
    nodes: Array.from({ length: size }, (_, it) => ({ id: id(it), name: `N ${it}`, type: "Ns.T", properties: {} })),
    relations: Array.from({ length: size }, (_, it) => it).flatMap((it) => [
      { from: id(it), label: "next", to: id(it + 1), properties: {} },
      { from: id(it), label: "next", to: id(it + 2), properties: {} },
    ]),
    nodeProperties: [],
    edgeProperties: [],
  });
}

describe("the forms that hosts and their users write", () => {
  test.each([
    "MATCH (n:`IAIP.Framework`) RETURN n.id",
    "MATCH (n:IAIP.Framework) RETURN n.id, n.name",
    "MATCH (n:IAIP.Framework)-[p]->(o) RETURN n.id, o.id",
    "MATCH (n:IAIP.Framework)-[p1]->(x)-[p2]->(o) RETURN n.id, o.id",
    "MATCH (n:IAIP.Framework) WHERE n.id = 'structural-tension' RETURN n.id",
    "MATCH (s:IAIP.Framework)-[p:partOf]->(o:IAIP.Framework) RETURN s.id, o.id",
    "MATCH (s:`IAIP.Framework`/`structural-tension`) RETURN s.id",
    "MATCH (s:IAIP.Framework)-[p:rdf_expand()]->(o:IAIP.Framework) WHERE s.id = 'structural-tension' RETURN s,p,o,s.id,o.id",
    "MATCH (s)-[p:partOf|expresses]->(o) RETURN s.id As Subject, o.id as object",
    "MATCH (s)-[]->(o) RETURN s.id",
    "MATCH (s)-[p1]->(o), (o)-[p2]->(t) RETURN s.id, t.id",
  ])("%s", async (dsl) => {
    const told = await ask(dsl);
    expect(told.status).toBe("FINISH");
    expect(told.row_count).toBeGreaterThan(0);
  });

  test("ids in a parameter, as retrievers send them", async () => {
    const dsl = "MATCH (n:IAIP.Framework|IAIP.Integration) WHERE n.id in $nid RETURN n,n.id";
    const listed = await ask(dsl, { nid: ["two-eyed-seeing", "ocap"] });
    expect(listed.rows.map((it) => it[1]).sort()).toEqual(["ocap", "two-eyed-seeing"]);
    expect((await ask(dsl, { nid: '["two-eyed-seeing", "ocap"]' })).rows).toEqual(listed.rows);
  });
});

describe("bounds", () => {
  test.each([
    [0, 0, false],
    [200, 200, false],
    [201, 200, true],
  ])("of %i rows %i are told, truncated: %s", async (size, told, truncated) => {
    const files = Object.fromEntries(
      Array.from({ length: size }, (_, it) => [`craft/c${it}.yaml`, conceptFile(`c${it}`)]),
    );
    const kag = kagOver(snapshotOf(files), { namespace: "Tea" });
    const answer = reasonReturn.parse(await kag.told("kag_reason", { dsl: "MATCH (n:Tea.Craft) RETURN n.id" }));
    expect([answer.rows.length, answer.row_count, answer.truncated]).toEqual([told, size, truncated]);
  });

  test("four paths that share no name are counted without being walked", async () => {
    const found = await reason(ring(3_000), "MATCH (a), (b), (c), (d) RETURN a.id, d.id", new Map(), noHurry);
    expect(found).toMatchObject({ kind: "finish", count: 3_000 ** 4 });
    expect(found.kind === "finish" && found.rows.length).toBe(200);
  });

  test("a count beyond what numbers hold is refused", async () => {
    const dsl = "MATCH (a), (b), (c), (d), (e) RETURN a.id";
    expect(await reason(ring(3_000), dsl, new Map(), noHurry)).toMatchObject({
      kind: "error",
      message: expect.stringContaining("more matches than can be counted"),
    });
  });

  test("what takes too long is given up, and others are answered meanwhile", async () => {
    const graph = ring(400);
    const dsl = "MATCH (a), (b), (c), (d) WHERE a.name < b.name and b.name < c.name and c.name < d.name RETURN a.id";
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const started = performance.now();
    const found = await reason(graph, dsl, new Map(), { clock: () => performance.now(), milliseconds: 250 });
    clearInterval(timer);
    expect(found).toMatchObject({ kind: "timeout", message: expect.stringMatching(/given up after 0\.3 s\. Hint: /) });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(turns).toBeGreaterThan(3);
  });

  test("the tool tells it as TIMEOUT with an error, and answers the next call", async () => {
    const kag = kagOver(shipped.snapshot, { reasonMs: 30 });
    const dsl = "MATCH (a), (b), (c), (d) WHERE a.name < b.name and b.name < c.name and c.name < d.name RETURN a.id";
    const told = reasonReturn.parse(await kag.told("kag_reason", { dsl }));
    expect([told.status, told.rows, told.header]).toEqual(["TIMEOUT", [], []]);
    expect((await kag.told("kag_reason", { dsl: "MATCH (n) RETURN n.id" })).status).toBe("FINISH");
  });

  test("repeated edges that could go on without end stop as well", async () => {
    const bounds = { clock: () => performance.now(), milliseconds: 200 };
    const found = await reason(ring(60), "MATCH (a)-[p]-{1,16}(b) WHERE a.id = 'n0' RETURN b.id", new Map(), bounds);
    expect(found.kind).toBe("timeout");
  });

  test("patterns that make other engines hang are matched in linear time", async () => {
    const dsl = "MATCH (a) WHERE concat(a.name, $long) rlike '^(x+x+)+y$' RETURN a.id";
    const long = new Map([["long", "x".repeat(5_000)]]);
    expect(await reason(ring(20), dsl, long, { clock: () => performance.now(), milliseconds: 3_000 })).toMatchObject({
      kind: "finish",
      count: 0,
    });
  });

  test("an abandoned call stops", async () => {
    const abandon = new AbortController();
    const dsl = "MATCH (a), (b), (c), (d) WHERE a.name < b.name and b.name < c.name and c.name < d.name RETURN a.id";
    const asked = reason(ring(400), dsl, new Map(), {
      clock: () => performance.now(),
      milliseconds: 60_000,
      signal: abandon.signal,
    });
    setTimeout(() => abandon.abort(), 30);
    await expect(asked).rejects.toThrow(/abort/i);
  });

  test("an error is at most 600 characters and an ellipsis", async () => {
    const told = await ask(`MATCH (n:\`${"x".repeat(10_000)}\`) RETURN n.id`);
    expect(told.status).toBe("ERROR");
    expect(told.error).toHaveLength(601);
    expect(told.error?.endsWith("…")).toBe(true);
  });

  test("long cells are told in fewer rows, with the true count", async () => {
    const cells = Array.from(
      { length: 60 },
      () => "concat(n.definition, n.definition, n.definition, n.definition)",
    ).join(", ");
    const told = await ask(`MATCH (n), (m) RETURN ${cells}`);
    expect(JSON.stringify(told).length).toBeLessThan(1_300_000);
    expect(told.truncated).toBe(true);
    expect(told.row_count).toBeGreaterThan(told.rows.length);
  });
});

describe("what is no query's fault", () => {
  test("another project is an error and nothing else", async () => {
    const told = errorOnly.parse(await shipped.told("kag_reason", { dsl: "MATCH (n) RETURN n", project_id: "7" }));
    expect(told.error).toContain("project iaip");
  });

  test("a query that is missing is refused by name", async () => {
    expect(await shipped.call("kag_reason", {})).toMatchObject({
      kind: "refused",
      text: expect.stringContaining("`dsl` is required"),
    });
  });

  test("parameters that are no object are refused by name", async () => {
    const answer = await shipped.call("kag_reason", { dsl: "MATCH (n) RETURN n", params: [1] });
    expect(answer).toMatchObject({ kind: "refused", text: expect.stringContaining("`params` takes an object") });
  });

  test("calls are answered side by side: a short one does not wait for a long one", async () => {
    const dsl = "MATCH (a), (b), (c), (d) WHERE a.name < b.name and b.name < c.name and c.name < d.name RETURN a.id";
    const kag = kagOver(shipped.snapshot, { reasonMs: 400 });
    const order: string[] = [];
    await Promise.all([
      kag.told("kag_reason", { dsl }).then(() => order.push("long")),
      kag.told("kag_reason", { dsl: "MATCH (n) RETURN n.id" }).then(() => order.push("short")),
    ]);
    expect(order).toEqual(["short", "long"]);
  });
});
