import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const src = join(root, "src");

/**
 * Private language that the field has standard words for, as a part of an identifier or of a file's name, and what to
 * say instead. `allowed` are the identifiers in which the part has its ordinary sense.
 */
const privateParts: Readonly<Record<string, { readonly instead: string; readonly allowed?: RegExp }>> = {
  told: { instead: "result, disclosed, reported" },
  asked: { instead: "request, query, requested" },
  // The label of a metric is a frozen name.
  door: { instead: "endpoint", allowed: /^door$/ },
  leg: { instead: "era handler" },
  front: { instead: "listen target", allowed: /frontmatter/i },
  gate: { instead: "guard" },
  offer: { instead: "tool selection" },
  offered: { instead: "selected" },
  hello: { instead: "server info" },
  moment: { instead: "request snapshot, instant" },
  dress: { instead: "wrap" },
  together: { instead: "pairs" },
  knowntoo: { instead: "the thing's own name" },
};
/** `mostRows`, `leastScore`: limits are `max` and `min`. */
const limitPrefix = /^(?:most|least)[A-Z]/;
/** `words` is for words of a text or a name; a text, a message or a sentence is called that. */
const wordsFolders =
  /^(?:core|kag\/solve)\/|^(?:kag\/(?:type-names|dsl\/hints)|lsp\/(?:edits\/create-concept|features\/completion)|mcp\/prompts|mcp\/tools\/validate-terminology)\.ts$/;

const files = ts.sys
  .readDirectory(src, [".ts"], ["plugins/*/node_modules"])
  .map((it) => relative(src, it))
  .sort();

test("identifiers and file names are the field's words", () => {
  const found = files.flatMap((file) =>
    [...identifiersOf(file), file.replace(/.*\//, "").replace(/\.ts$/, "")].flatMap((name) => {
      const problem = problemOf(name, file);
      return problem === undefined ? [] : [`${file}: ${name} (say ${problem})`];
    }),
  );
  expect([...new Set(found)]).toEqual([]);
});

/** Pages and comments, where these have no ordinary sense in this project. */
const privateProse = /\b(?:doors?|legs?|fronts|told on|dressed|hellos?)\b/i;

test("pages and comments are everyday English", () => {
  const pages = ts.sys
    .readDirectory(root, [".md"], ["**/node_modules", "tests", "dist"])
    .concat(files.map((it) => join(src, it)));
  const found = pages.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const prose = path.endsWith(".md") ? text.replace(/^```[\s\S]*?^```$/gm, "") : commentsOf(text);
    return prose
      .split("\n")
      .filter((line) => privateProse.test(line.replace(/`[^`]*`/g, "")))
      .map((line) => `${relative(root, path)}: ${line.trim().slice(0, 100)}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ["toldConcept", true],
  ["whatWasAsked", true],
  ["mostRows", true],
  ["sseDoor", true],
  ["frontMatter", false],
  ["gateway", false],
  ["address", false],
  ["almost", false],
  ["legend", false],
])("the check judges `%s`: %s", (name, isPrivate) => {
  expect(problemOf(name, "mcp/x.ts") !== undefined).toBe(isPrivate);
});

function problemOf(name: string, file: string): string | undefined {
  if (limitPrefix.test(name)) return "max… or min…";
  if (name === "words" && !wordsFolders.test(file)) return "text, message or sentence";
  const parts = name.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])/).map((it) => it.toLowerCase());
  for (const part of parts) {
    const entry = privateParts[part];
    if (entry !== undefined && !entry.allowed?.test(name.replaceAll("-", ""))) return entry.instead;
  }
  return undefined;
}

function identifiersOf(file: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.add(node.text.replace(/^#/, ""));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(src, file), "utf8"), ts.ScriptTarget.Latest));
  return names;
}

function commentsOf(code: string): string {
  return (code.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? []).join("\n");
}
