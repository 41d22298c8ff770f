import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DslProblem } from "../../src/kag/dsl/dsl-problem.ts";
import { parseQuery } from "../../src/kag/dsl/parse-query.ts";
import { count } from "../support/counts.ts";
import { column, failure, rows } from "./small-graph.ts";

describe("patterns", () => {
  test.each([
    ["a bare node", "MATCH (n) RETURN n.id", ["ada", "ben", "cy", "hill", "pen"]],
    ["a typed node", "MATCH (n:Ns.Place) RETURN n.id", ["hill"]],
    ["a type in back-quotes", "MATCH (n:`Ns.Place`) RETURN n.id", ["hill"]],
    ["a type with both parts in back-quotes", "MATCH (n:`Ns`.`Place`) RETURN n.id", ["hill"]],
    ["several types", "MATCH (n:Ns.Place|Ns.Tool) RETURN n.id", ["hill", "pen"]],
    ["a type without nodes", "MATCH (n:Ns.Empty) RETURN n.id", []],
    ["an instance of a type, by id", "MATCH (n:`Ns.Person`/`ada`) RETURN n.id", ["ada"]],
    ["an instance of a type, by name", "MATCH (n:Ns.Person/`Ada`) RETURN n.id", ["ada"]],
    ["an instance of the wrong type", "MATCH (n:Ns.Place/`ada`) RETURN n.id", []],
    ["two instances at once, which no node is", "MATCH (n:Ns.Person/`ada`+Ns.Person/`ben`) RETURN n.id", []],
    ["any edge to the right", "MATCH (n)-[p]->(o:Ns.Place) RETURN n.id", ["ada", "ben"]],
    ["an edge without a name", "MATCH (n)-[]->(o:Ns.Place) RETURN n.id", ["ada", "ben"]],
    ["a short edge to the right", "MATCH (n:Ns.Person)->(o:Ns.Place) RETURN n.id", ["ada", "ben"]],
    ["a short edge to the left", "MATCH (o:Ns.Place)<-(n) RETURN n.id", ["ada", "ben"]],
    ["a short edge of any direction", "MATCH (o:Ns.Place)-(n) RETURN n.id", ["ada", "ben"]],
    ["a labelled edge to the left", "MATCH (o:Ns.Place)<-[p:`lives-in`]-(n) RETURN n.id", ["ada", "ben"]],
    ["a label with its hyphen bare", "MATCH (n)-[p:lives-in]->(o) RETURN n.id", ["ada", "ben"]],
    ["a label in camel case", "MATCH (n)-[p:livesIn]->(o) RETURN n.id", ["ada", "ben"]],
    ["a label as other languages shout it", "MATCH (n)-[p:LIVES_IN]->(o) RETURN n.id", ["ada", "ben"]],
    ["a label with its namespace", "MATCH (n)-[p:`Ns.livesIn`]->(o) RETURN n.id", ["ada", "ben"]],
    ["an inverse label", "MATCH (n)-[p:home-of]->(o) RETURN o.id", ["ada", "ben"]],
    ["alternative labels", "MATCH (n)-[p:lives-in|uses]->(o) RETURN n.id", ["ada", "ben", "cy"]],
    ["every relation as a function", "MATCH (n:Ns.Person)-[p:rdf_expand()]->(o:Ns.Tool) RETURN n.id", ["cy"]],
    ["a symmetric relation from both ends", "MATCH (n)-[p:knows]->(o) RETURN n.id", ["ada", "ben", "ben", "cy"]],
    ["several hops", "MATCH (n)-[p1:knows]->(x)-[p2:uses]->(o) RETURN n.id", ["ben"]],
    ["paths that join by a comma", "MATCH (n)-[:knows]->(m), (m)-[:uses]->(o) RETURN n.id", ["ben"]],
    ["paths on lines of their own", "MATCH (n)-[:knows]->(m)\n(m)-[:uses]->(o) RETURN n.id", ["ben"]],
    ["a named path", "MATCH p1: (n)-[:uses]->(o) RETURN n.id", ["cy"]],
    ["a repeated edge", "MATCH (n WHERE n.id = 'ada')-[p:knows]->{1,2}(o) RETURN o.id", ["ben", "cy"]],
    ["an edge repeated exactly so often", "MATCH (n WHERE n.id = 'ada')-[p:knows]->{2}(o) RETURN o.id", ["cy"]],
    ["an edge that may be absent", "MATCH (n WHERE n.id = 'cy')-[p:uses]->?(o) RETURN o.id", ["cy", "pen"]],
    [
      "no more than so many edges of a node",
      "MATCH (n:Ns.Person)-[p per_node_limit 1]->(o) RETURN n.id",
      ["ada", "ben", "cy"],
    ],
    [
      "a path that need not match",
      "MATCH (n:Ns.Person), OPTIONAL q: (n)-[p:uses]->(o) RETURN o.id",
      ["null", "null", "pen"],
    ],
    ["comments", "MATCH /* all */ (n:Ns.Place) // places\nRETURN n.id", ["hill"]],
    ["a condition within a node", "MATCH (n:Ns.Person WHERE n.age > 40) RETURN n.id", ["ben"]],
    ["a condition within an edge", "MATCH (n)-[p WHERE p.since = 1833]->(o) RETURN n.id", ["ada"]],
  ])("%s", async (_what, query, expected) => {
    expect(await column(query)).toEqual(expected);
  });

  test("headers are the expressions as they were written, or their aliases", async () => {
    const { returns } = parseQuery("match (n) return n.id, n.age + 1 as Older, concat( n.id ,'x')");
    expect(returns.map((it) => it.header)).toEqual(["n.id", "Older", "concat( n.id ,'x')"]);
  });

  test("a repeated edge lists its edges from left to right, wherever matching begins", async () => {
    expect(await column("MATCH (n)-[p]->{2}(o WHERE o.id = 'pen') RETURN p.label")).toEqual(['["knows","uses"]']);
    expect(await column("MATCH (n WHERE n.id = 'ben')-[p]->{2}(o) RETURN p.to")).toContain('["cy","pen"]');
  });

  test("a limit counts from the node on the left, wherever matching begins", async () => {
    expect(await column("MATCH (n)-[p per_node_limit 1]->(o WHERE o.id = 'hill') RETURN n.id")).toEqual([]);
    expect(await column("MATCH (n)-[p per_node_limit 3]->(o WHERE o.id = 'hill') RETURN n.id")).toEqual(["ada", "ben"]);
  });

  test("whole elements, paths and lists are told as JSON text", async () => {
    const [row] = await rows("MATCH q: (n:Ns.Person/`cy`)-[p:uses]->(o) RETURN n, p, q, [1, n.id]");
    const cells = row?.map((it) => JSON.parse(String(it)));
    expect(cells?.[0]).toEqual({ id: "cy", name: "Cy", label: "Ns.Person", properties: {} });
    const edge = { from: "cy", from_type: "Ns.Person", label: "uses", to: "pen", to_type: "Ns.Tool", properties: {} };
    expect(cells?.[1]).toEqual(edge);
    expect(cells?.[2]).toEqual([cells?.[0], edge, { id: "pen", name: "Pen", label: "Ns.Tool", properties: {} }]);
    expect(cells?.[3]).toEqual([1, "cy"]);
  });
});

describe("conditions", () => {
  test.each([
    ["n.age = 36", ["ada"]],
    ["n.age == 36", ["ada"]],
    ["n.age != 36", ["ben"]],
    ["n.age <> 36", ["ben"]],
    ["n.age < 41 and n.age >= 36", ["ada"]],
    ["n.age < 41 && n.age >= 36", ["ada"]],
    ["n.age = 36 or n.id = 'cy'", ["ada", "cy"]],
    ["n.age = 36 || n.id = 'cy'", ["ada", "cy"]],
    ["n.age = 36 xor n.id = 'ben'", ["ada", "ben"]],
    ["not n.age = 36", ["ben"]],
    ["!(n.age = 36)", ["ben"]],
    ["n.id in ['ada', \"cy\"]", ["ada", "cy"]],
    ["n.id not in ['ada', 'ben']", ["cy"]],
    ["n.name like 'A%'", ["ada"]],
    ["n.name like '%d%'", ["ada"]],
    ["n.name rlike '^[AB].*'", ["ada", "ben"]],
    ["n.age is null", ["cy"]],
    ["n.age is not null", ["ada", "ben"]],
    ["n.age = null", ["cy"]],
    ["n.age != null", ["ada", "ben"]],
    ["(n.age > 40) is true", ["ben"]],
    ["(n.age > 40) is not true", ["ada", "cy"]],
    ["n.age * 2 - 2 = 70", ["ada"]],
    ["n.age % 2 = 1", ["ben"]],
    ["n.age / 2 = 18", ["ada"]],
    ["-n.age < -40", ["ben"]],
    ["n.id + '!' = 'ada!'", ["ada"]],
    ["str_contains(n.aliases, 'countess')", ["ada"]],
    ["StrContains(n.name, 'y')", ["cy"]],
    ["'countess' in n.aliases", ["ada"]],
    ["exist(n.age)", ["ada", "ben"]],
    ["is_blank(n.age)", ["cy"]],
    ["abs(0 - n.age) = 36", ["ada"]],
    ["floor(n.age / 2) = 20", ["ben"]],
    ["ceiling(n.age / 2) = 21", ["ben"]],
    ["upper(n.name) = 'CY' and lower(n.name) = 'cy'", ["cy"]],
    ["length(n.name) = 2", ["cy"]],
    ["sub_str(n.name, 2, 1) = 'd'", ["ada"]],
    ["in_str(n.name, 'n') = 3", ["ben"]],
    ["cast_type('36', 'bigint') = n.age", ["ada"]],
    ["concat(n.id, '-', n.age) = 'ada-36'", ["ada"]],
    ["split_part('x,cy', ',', 2) = n.id", ["cy"]],
    ["regex_match(n.name, '[a-z]+') = 'da'", ["ada"]],
    ["contains_any(n.name, ['e', 'y'])", ["ben", "cy"]],
    ["trim('  Cy ') = n.name", ["cy"]],
    ["label(n) = 'Ns.Person' and id(n) = 'cy'", ["cy"]],
  ])("%s", async (condition, expected) => {
    expect(await column(`MATCH (n:Ns.Person) WHERE ${condition} RETURN n.id`)).toEqual(expected);
  });
});

describe("parameters", () => {
  const query = "MATCH (n) WHERE n.id in $ids RETURN n.id";

  test("a list and its JSON text give the same rows", async () => {
    expect(await rows(query, { ids: ["ada", "cy"] })).toEqual(await rows(query, { ids: '["ada","cy"]' }));
    expect(await column(query, '{"ids": ["ada"]}')).toEqual(["ada"]);
    expect(await column(query, { $ids: "ada" })).toEqual(["ada"]);
  });

  test("a value is a value, whatever marks it holds", async () => {
    const sought = 'it\'s a `steep` "hill"';
    expect(await column("MATCH (n) WHERE n.note = $note RETURN n.id", { note: sought })).toEqual(["hill"]);
    const injected = "x' or 1 = 1 or n.id = 'y`) RETURN n //";
    expect(await column("MATCH (n) WHERE n.id = $id RETURN n.id", { id: injected })).toEqual([]);
    expect(await column("MATCH (n) WHERE n.id in $id RETURN n.id", { id: `["${"]} MATCH (m) RETURN m"}` })).toEqual([]);
  });

  test("one that was not given is named, with those that were", async () => {
    expect(await failure(query, { id: "ada" })).toMatch(/^Line 1, column 25: No value was given for \$ids\. .*\$id$/);
  });
});

describe("what cannot be answered is told with its place and a next step", () => {
  test.each([
    ["MATCH (n) RETURN n.id LIMIT 5", /^Line 1, column 23: .*LIMIT.* Hint: there is no LIMIT/],
    ["MATCH (n) RETURN n.id ORDER BY n.id", /column 23: .*ORDER.* Hint: there is no ORDER BY/],
    ["MATCH (n) RETURN DISTINCT n.id", /column 27: .*/],
    [
      "MATCH (n:Person)\nRETURN n.id",
      /^Line 1, column 10: Cannot find the type 'Person'\. Hint: types are written in full: Ns\.Person$/,
    ],
    ["MATCH (n:Other.Person) RETURN n.id", /Hint: types are written in full: Ns\.Person/],
    ["MATCH (n:Entity) RETURN n.id", /Cannot find the type 'Entity'\. Hint: kag_schema lists the types: Ns\.Person/],
    ["MATCH (n)-[p:livesInn]->(o) RETURN n.id", /There is no relation 'livesInn'\. Hint: did you mean 'lives-in'\?/],
    [
      "MATCH (n)\n\n  WHERE n.agee = 1 RETURN n.id",
      /^Line 3, column 11: A concept has no property 'agee'\. Hint: did you mean 'age'\?/,
    ],
    ["MATCH (n) RETURN m.id", /column 18: MATCH names no 'm'\. Hint: did you mean 'n'\?/],
    ["MATCH (n) RETURN count(n)", /There is no function 'count'\. Hint: there are no totals over rows; row_count/],
    ["MATCH (n) RETURN nope(n)", /There is no function 'nope'\. Hint: there are abs, /],
    ["MATCH (n) RETURN abs(1, 2)", /abs takes 1 argument, not 2/],
    ["MATCH (n {id: 'ada'}) RETURN n", /A node takes no \{…\}\. Hint: write \(n WHERE/],
    ["MATCH (n)-[p*1..3]->(o) RETURN n", /An edge takes no '\*'\. Hint: write -\[p\]->\{1,3\}/],
    ["MATCH (n)-[p:fly()]->(o) RETURN n", /There is no edge function 'fly'/],
    ["MATCH (n)-[p]->(o)-[p]->(m) RETURN n", /'p' already names something else/],
    ["MATCH (n)-[p]->{3,1}(o) RETURN n", /asks for more at least than at most/],
    ["MATCH (n)-[p]->{1,99}(o) RETURN n", /repeats at most 16 times/],
    ["MATCH (n) WHERE n.id rlike '(' RETURN n.id", /The pattern cannot be read/],
    ["MATCH (n) WHERE n.id = 'open RETURN n.id", /column 24: The text that opens with ' never closes/],
    ["MATCH (n) WHERE n.id = $ RETURN n.id", /A name must follow '\$'/],
    ["MATCH (n) WHERE n.name starts with 'A' RETURN n.id", /Hint: write n\.name like 'Two%'/],
    ["MATCH (n WHERE n.id = 'a' RETURN n.id", /Expected '\)' to close the node, but 'RETURN' stands there/],
    ["MATCH (n)", /Expected WHERE, RETURN or another path, but the query ends/],
    ["", /The query is empty\. Hint: begin with MATCH/],
    ["SELECT * FROM t", /cannot begin with 'SELECT'\. Hint: this is no SQL/],
  ])("%s", async (query, expected) => {
    expect(await failure(query)).toMatch(expected);
  });
});

describe("the language only reads", () => {
  test.each([
    "CREATE (n:Ns.Person) RETURN n",
    "MATCH (n) SET n.age = 1 RETURN n",
    "MATCH (n) DELETE n",
    "MATCH (n) RETURN n; DROP TABLE x",
    "GraphStructure { (s)-[p]->(o) } Action { createNodeInstance(type=Ns.Person, value={id='x'}) }",
    "Define (s:Ns.Person)-[p:knows]->(o:Ns.Person) { GraphStructure { (s)-[:uses]->(o) } }",
    "createEdgeInstance(src=s, dst=o, type=knows, value={})",
    "MATCH (n) RETURN createNodeInstance(n)",
  ])("%s is refused", async (query) => {
    expect(await failure(query)).toMatch(/^Line 1, column \d+: /);
  });
});

test("whatever is asked, the parser answers or says why, and never breaks", () => {
  const pieces =
    "MATCH ( ) [ ] - -> <- { } : , . | / + * 'a' \" ` $x n p WHERE RETURN and not in is null 1 .5 0x1 rdf_expand() \n // /*".split(
      " ",
    );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((it) => it.join(" ")),
  );
  fc.assert(
    fc.property(text, (query) => {
      try {
        parseQuery(query);
      } catch (error) {
        expect(error).toBeInstanceOf(DslProblem);
        expect((error as DslProblem).at).toBeLessThanOrEqual(query.length);
      }
    }),
    { numRuns: count(1_000, 20_000) },
  );
});

test.each([
  ["parentheses", `MATCH (n) WHERE ${"(".repeat(50_000)}1${")".repeat(5)} RETURN n`],
  ["negations", `MATCH (n) WHERE ${"not ".repeat(15_000)}true RETURN n`],
  ["signs", `MATCH (n) RETURN ${"-".repeat(60_000)}1`],
  ["lists", `MATCH (n) RETURN ${"[".repeat(60_000)}`],
])("%s nested without end are refused", async (_what, query) => {
  expect(await failure(query)).toMatch(/nested more than 200 deep/);
});

test("a query that is too long is refused", async () => {
  expect(await failure(`MATCH (n) RETURN ${"n.id, ".repeat(20_000)}n.id`)).toMatch(/longer than 65536 characters/);
});
