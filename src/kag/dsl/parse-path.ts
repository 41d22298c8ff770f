import type { EdgePattern, NodeLabel, NodePattern, PathPattern } from "./ast.ts";
import { DslProblem } from "./dsl-problem.ts";
import { parseExpression } from "./parse-expression.ts";
import type { TokenCursor } from "./token-cursor.ts";

export function parsePath(cursor: TokenCursor): PathPattern {
  const at = cursor.peek().at;
  const optional = cursor.takeWord("optional") !== undefined;
  const name = cursor.isMark("(") ? undefined : parsePathName(cursor);
  const nodes = [parseNode(cursor)];
  const edges: EdgePattern[] = [];
  while (cursor.isMark("-") || cursor.isMark("<")) {
    edges.push(parseEdge(cursor));
    nodes.push(parseNode(cursor));
  }
  return { at, name, optional, nodes, edges };
}

export function startsPath(cursor: TokenCursor): boolean {
  return cursor.isMark("(") || cursor.isWord("optional") || cursor.isMark(":", 1);
}

function parsePathName(cursor: TokenCursor): string {
  const name = cursor.takeName() ?? cursor.fail("a node such as (n)");
  cursor.expectMark(":", "between the name of a path and its first node");
  return name.text;
}

function parseNode(cursor: TokenCursor): NodePattern {
  const { at } = cursor.expectMark("(", "to open a node");
  cursor.countElement();
  const alias = cursor.takeName()?.text;
  const labels = cursor.takeMark(":") ? parseAlternatives(cursor, parseNodeLabel) : [];
  const where = cursor.takeWord("where") ? parseExpression(cursor) : undefined;
  if (cursor.isMark("{")) {
    throw new DslProblem(cursor.peek().at, "A node takes no {…}.", "write (n WHERE n.id = 'two-eyed-seeing')");
  }
  cursor.expectMark(")", "to close the node");
  return { at, alias, labels, where };
}

function parseAlternatives<T>(cursor: TokenCursor, parse: (cursor: TokenCursor) => T): readonly T[] {
  const alternatives = [parse(cursor)];
  while (cursor.takeMark("|")) alternatives.push(parse(cursor));
  return alternatives;
}

function parseNodeLabel(cursor: TokenCursor): NodeLabel {
  const { name, at } = parseTypeName(cursor);
  if (!cursor.isMark("/")) return { kind: "type", name, at };
  const all = [parseInstance(cursor, name, at)];
  while (cursor.takeMark("+")) {
    const next = parseTypeName(cursor);
    all.push(parseInstance(cursor, next.name, next.at));
  }
  return { kind: "instances", all };
}

function parseInstance(cursor: TokenCursor, type: string, at: number) {
  cursor.expectMark("/", "between a type and its instance");
  const instance = cursor.takeName() ?? cursor.fail("the instance in back-quotes");
  return { type, instance: instance.text, at };
}

/** `Ns.Type`, with back-quotes around the whole or around either part. */
function parseTypeName(cursor: TokenCursor): { readonly name: string; readonly at: number } {
  const first = cursor.takeName() ?? cursor.fail("a type such as IAIP.Framework");
  if (!cursor.takeMark(".")) return { name: first.text, at: first.at };
  const second = cursor.takeName() ?? cursor.fail("the rest of the type's name");
  return { name: `${first.text}.${second.text}`, at: first.at };
}

function parseEdge(cursor: TokenCursor): EdgePattern {
  const at = cursor.peek().at;
  cursor.countElement();
  const pointsLeft = cursor.takeMark("<") !== undefined;
  cursor.expectMark("-", "in the edge");
  const filler = cursor.takeMark("[") ? parseEdgeFiller(cursor) : emptyFiller;
  if (filler !== emptyFiller) cursor.expectMark("-", "after ']'");
  else cursor.takeMark("-");
  const pointsRight = cursor.takeMark(">") !== undefined;
  const direction = pointsLeft === pointsRight ? "any" : pointsRight ? "out" : "in";
  return { at, ...filler, direction, hops: parseHops(cursor) };
}

type EdgeFiller = Pick<EdgePattern, "alias" | "labels" | "where" | "perNodeLimit">;
const emptyFiller: EdgeFiller = { alias: undefined, labels: [], where: undefined, perNodeLimit: undefined };

function parseEdgeFiller(cursor: TokenCursor): EdgeFiller {
  const alias = cursor.takeName()?.text;
  const labels = cursor.takeMark(":") ? parseEdgeLabels(cursor) : [];
  const where = cursor.takeWord("where") ? parseExpression(cursor) : undefined;
  cursor.takeMark(",");
  const perNodeLimit = cursor.takeWord("per_node_limit") ? parseCount(cursor) : undefined;
  if (cursor.isMark("*")) {
    throw new DslProblem(cursor.peek().at, "An edge takes no '*'.", "write -[p]->{1,3} to repeat it");
  }
  cursor.expectMark("]", "to close the edge");
  return { alias, labels, where, perNodeLimit };
}

/** `rdf_expand()` stands for every relation. */
function parseEdgeLabels(cursor: TokenCursor): EdgePattern["labels"] {
  if (!cursor.isMark("(", 1)) return parseAlternatives(cursor, parseEdgeLabel);
  const { text, at } = cursor.take();
  if (text.toLowerCase() !== "rdf_expand") {
    throw new DslProblem(at, `There is no edge function '${text}'.`, "rdf_expand() follows every relation");
  }
  cursor.expectMark("(", "after the function");
  cursor.expectMark(")", "after '('");
  return [];
}

/** Relation names hold hyphens (`part-of`), which nothing else can be in this place. */
function parseEdgeLabel(cursor: TokenCursor): EdgePattern["labels"][number] {
  const first = cursor.takeName() ?? cursor.fail("a relation");
  let name = first.text;
  while (cursor.isMark("-") && cursor.peek(1).kind === "word") {
    cursor.take();
    name += `-${cursor.take().text}`;
  }
  return { name, at: first.at };
}

const maxHops = 16;

function parseHops(cursor: TokenCursor): EdgePattern["hops"] {
  if (cursor.takeMark("?")) return { least: 0, most: 1 };
  const open = cursor.takeMark("{");
  if (!open) return undefined;
  const least = cursor.peek().kind === "number" ? parseCount(cursor) : 0;
  const most = cursor.takeMark(",") ? (cursor.peek().kind === "number" ? parseCount(cursor) : maxHops) : least;
  cursor.expectMark("}", "to close the repetition");
  if (least > most) throw new DslProblem(open.at, `{${least},${most}} asks for more at least than at most.`);
  if (most > maxHops) throw new DslProblem(open.at, `An edge repeats at most ${maxHops} times.`);
  return { least, most };
}

function parseCount(cursor: TokenCursor): number {
  const { kind, text, at } = cursor.take();
  const count = Number(text);
  if (kind !== "number" || !Number.isSafeInteger(count)) throw new DslProblem(at, "Expected a whole number.");
  return count;
}
