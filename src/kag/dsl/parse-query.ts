import type { PathPattern, Query, ReturnItem } from "./ast.ts";
import { DslProblem } from "./dsl-problem.ts";
import { openingHint } from "./hints.ts";
import { parseExpression } from "./parse-expression.ts";
import { parsePath, startsPath } from "./parse-path.ts";
import { TokenCursor } from "./token-cursor.ts";
import { tokenize } from "./tokens.ts";

/** Longest query that is read, in UTF-16 units. */
export const longestQuery = 65_536;

/** Read-only by grammar: no other statement exists. Throws `DslProblem`, and nothing else. */
export function parseQuery(query: string): Query {
  if (query.length > longestQuery) {
    throw new DslProblem(
      longestQuery,
      `The query is longer than ${longestQuery} characters.`,
      "pass long lists in params",
    );
  }
  const cursor = new TokenCursor(query, tokenize(query));
  if (!cursor.takeWord("match")) {
    const { text, at } = cursor.peek();
    throw new DslProblem(at, text ? `A query cannot begin with '${text}'.` : "The query is empty.", openingHint(text));
  }
  const paths = parsePaths(cursor);
  const where = cursor.takeWord("where") ? parseExpression(cursor) : undefined;
  if (!cursor.takeWord("return")) cursor.fail(where ? "RETURN or another condition" : "WHERE, RETURN or another path");
  const returns = parseReturns(cursor);
  cursor.takeMark(";");
  if (cursor.peek().kind !== "end") cursor.fail("',' or the end of the query");
  return { paths, where, returns };
}

/** Paths follow each other after a comma or, as on the lines of a rule, after nothing. */
function parsePaths(cursor: TokenCursor): readonly PathPattern[] {
  const paths = [parsePath(cursor)];
  while (cursor.takeMark(",") || startsPath(cursor)) paths.push(parsePath(cursor));
  return paths;
}

function parseReturns(cursor: TokenCursor): readonly ReturnItem[] {
  const items: ReturnItem[] = [];
  do {
    const from = cursor.peek().at;
    const expression = parseExpression(cursor);
    const written = cursor.query.slice(from, cursor.lastEnd);
    const alias = cursor.takeWord("as") ? (cursor.takeName() ?? cursor.fail("a name after AS")).text : undefined;
    items.push({ expression, header: alias ?? written });
  } while (cursor.takeMark(","));
  return items;
}
