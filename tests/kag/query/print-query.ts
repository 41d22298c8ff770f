import type { NaiveEdge, NaiveNode, NaiveQuery, NaiveTest, NaiveValue } from "./naive-matcher.ts";

export interface Printed {
  readonly text: string;
  readonly params: ReadonlyMap<string, NaiveValue>;
}

/** Writes a query in one of the many ways it can be written, chosen by `style`; every other value becomes a parameter. */
export function printQuery(query: NaiveQuery, style: number): Printed {
  const params = new Map<string, NaiveValue>();
  let turn = style;
  const choose = (...ways: readonly string[]): string => ways[turn++ % ways.length] ?? "";
  const name = (it: string): string => choose(it, `\`${it}\``, it);
  const word = (it: string): string => choose(it, it.toLowerCase(), it);

  const value = (it: NaiveValue): string => {
    if (choose("inline", "param") === "param") {
      const key = `v${params.size}`;
      params.set(key, it);
      return `$${key}`;
    }
    if (Array.isArray(it)) return `[${it.map((item) => JSON.stringify(item)).join(", ")}]`;
    return typeof it === "string" ? choose(JSON.stringify(it), `'${it}'`) : JSON.stringify(it);
  };
  const operators: Readonly<Record<string, readonly string[]>> = {
    "=": ["=", "=="],
    "!=": ["!=", "<>"],
    and: ["and", "AND", "&&"],
    or: ["or", "OR", "||"],
    xor: ["xor", "XOR"],
  };
  const test = (it: NaiveTest): string => {
    switch (it.kind) {
      case "value":
        return value(it.value);
      case "property":
        return `${name(it.slot)}.${it.name}`;
      case "not":
        return `${choose("not ", "NOT ", "!")}(${test(it.of)})`;
      case "is":
        return `${test(it.of)} ${word("IS")} ${it.negated ? `${word("NOT")} ` : ""}${word(String(it.value).toUpperCase())}`;
      case "binary": {
        const operator = choose(...(operators[it.operator] ?? [it.operator]));
        return `(${test(it.left)} ${operator} ${test(it.right)})`;
      }
    }
  };
  const where = (it: NaiveTest | undefined): string => (it ? ` ${word("WHERE")} ${test(it)}` : "");
  const node = (it: NaiveNode): string => {
    const labels = it.types.map((type) => choose(type, `\`${type}\``)).join("|");
    return `(${name(it.slot)}${labels ? `:${labels}` : ""}${where(it.where)})`;
  };
  const edge = (it: NaiveEdge): string => {
    const labels = it.labels.map((label) => choose(label, `\`${label}\``, label.replaceAll("-", "_"))).join("|");
    const each: NaiveTest | undefined = it.each === undefined ? undefined : equals(it.slot, it.each);
    const limit = it.limit === undefined ? "" : ` ${word("PER_NODE_LIMIT")} ${it.limit}`;
    const filler = `[${name(it.slot)}${labels ? `:${labels}` : choose("", ":rdf_expand()")}${where(each)}${limit}]`;
    const arrow = it.direction === "in" ? `<-${filler}-` : it.direction === "out" ? `-${filler}->` : `-${filler}-`;
    return it.hops ? `${arrow}${hops(it.hops, choose)}` : arrow;
  };
  const paths = query.paths.map(({ optional, nodes, edges }) => {
    const elements = nodes
      .map((it, index) => node(it) + (edges[index] ? edge(edges[index]) : ""))
      .join(choose("", " "));
    return optional ? `${word("OPTIONAL")} ${elements}` : elements;
  });
  const returns = query.returns.map((it) => `${name(it.slot)}.${it.name}${choose("", " as x")}`).join(", ");
  const joined = paths.join(choose(", ", ",\n", " // a comment, with (marks)\n,"));
  const text = `${word("MATCH")} ${joined}${where(query.where)}\n${word("RETURN")} ${returns}`;
  return { text, params };
}

function equals(slot: string, label: string): NaiveTest {
  const left = { kind: "property" as const, slot, name: "label" };
  return { kind: "binary", operator: "=", left, right: { kind: "value", value: label } };
}

function hops({ least, most }: NonNullable<NaiveEdge["hops"]>, choose: (...ways: readonly string[]) => string): string {
  if (least === 0 && most === 1) return choose("?", "{0,1}", "{,1}");
  return least === most ? choose(`{${least}}`, `{${least},${most}}`) : `{${least},${most}}`;
}
