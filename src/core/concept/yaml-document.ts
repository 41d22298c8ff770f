import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from "yaml";
import { fileStart, type Problem, type Range } from "./problem.ts";

/** Files above this many UTF-16 units are refused: no concept is that long. */
export const longestFile = 1_000_000;

const deepest = 200;

export type Path = readonly (string | number)[];

export type YamlDocument =
  | {
      readonly kind: "read";
      readonly value: unknown;
      readonly places: Places;
      /** What is left out of the value, and why. */
      readonly problems: readonly Problem[];
    }
  | { readonly kind: "broken"; readonly problems: readonly Problem[] };

export interface Places {
  /** Where the value at `path` stands; the nearest parent's place when it is absent. */
  value(path: Path): Range;
  /** Where the key of `path` stands. */
  key(path: Path): Range;
}

/** What a broken file means for a vocabulary: said with each of its problems. */
const lastGood = "The file keeps its last good words until it parses.";

/**
 * Reads one YAML file. Never throws: what cannot be read becomes problems with places. `consequence` is a sentence
 * that ends the message of one that does not parse.
 */
export function readYaml(file: string, text: string, consequence = lastGood): YamlDocument {
  const refused = refusal(text);
  if (refused) return broken(file, refused.code, refused.message);
  try {
    return parse(file, text, consequence);
  } catch (error) {
    // The parser throws on alias bombs and on nesting too deep for the stack.
    const why = error instanceof Error ? error.message : String(error);
    return broken(file, "file.unreadable", `This file cannot be read: ${why}. Write it flat, without aliases.`);
  }
}

function refusal(text: string): { code: string; message: string } | undefined {
  if (longestFile < text.length)
    return {
      code: "file.too-large",
      message: `This file has ${text.length} characters; a file may have ${longestFile}. Split or shorten it.`,
    };
  if (/[\0\uFFFD]/.test(text))
    return {
      code: "file.binary",
      message: "This file is not UTF-8 text. Save it as UTF-8, or move it elsewhere.",
    };
  if (!/\S/.test(text.replace(/^\uFEFF/, "")))
    return { code: "file.empty", message: "This file is empty. Fill it in, or delete it." };
  if (isNestedTooDeep(text))
    return {
      code: "file.unreadable",
      message: `This file nests lists or fields more than ${deepest} deep. Write it flat.`,
    };
  return undefined;
}

/**
 * The YAML parser recurses for each level, and V8 ends the process, with nothing to catch, when a regular expression is
 * compiled on a stack that is nearly full. So the depth is bounded before it starts: open brackets, indicators in a
 * row, and indentation.
 */
function isNestedTooDeep(text: string): boolean {
  let open = 0;
  let indent = 0;
  let isLineStart = true;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === "\n") [isLineStart, indent] = [true, 0];
    else if (isLineStart && (character === " " || character === "-" || character === "?")) indent++;
    else isLineStart = false;
    if (character === "[" || character === "{") open++;
    else if ((character === "]" || character === "}") && open > 0) open--;
    if (deepest < open || 2 * deepest < indent) return true;
  }
  return false;
}

function broken(file: string, code: string, message: string): YamlDocument {
  return { kind: "broken", problems: [{ code, severity: "error", file, range: fileStart, message }] };
}

function parse(file: string, text: string, consequence: string): YamlDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const range = (start: number, end: number): Range => ({ start: position(lines, start), end: position(lines, end) });
  const errors = document.errors.filter((it) => it.code !== "MULTIPLE_DOCS");
  if (errors.length > 0) {
    return {
      kind: "broken",
      problems: errors.slice(0, 20).map((error) => ({
        code: error.code === "DUPLICATE_KEY" ? "yaml.duplicate-key" : "yaml.malformed",
        severity: "error" as const,
        file,
        range: range(error.pos[0], Math.max(error.pos[1], error.pos[0] + 1)),
        message: `${sentence(error.message)} ${consequence}`,
      })),
    };
  }
  const root = document.contents;
  const second = document.errors.map(
    ({ pos: [start] }): Problem => ({
      code: "yaml.second-document",
      severity: "error",
      file,
      range: range(start, start + 3),
      message: "A second document begins here, and one file holds one. Move it to a file of its own.",
    }),
  );
  return {
    kind: "read",
    problems: second,
    value: document.toJS({ maxAliasCount: 20 }),
    places: {
      value: (path) => spanOf(find(root, path).node) ?? fileStart,
      key: (path) => {
        const { key, node } = find(root, path);
        return spanOf(key) ?? spanOf(node) ?? fileStart;
      },
    },
  };

  function spanOf(node: Node | undefined): Range | undefined {
    return node?.range ? range(node.range[0], node.range[1]) : undefined;
  }
}

function find(root: ParsedNode | null, path: Path): { node: Node | undefined; key: Node | undefined } {
  let node: Node | undefined = root ?? undefined;
  let key: Node | undefined;
  for (const step of path) {
    if (isAlias(node)) break;
    if (isMap(node)) {
      const pair = node.items.find((it) => isPair(it) && isScalar(it.key) && String(it.key.value) === String(step));
      if (!pair) break;
      key = pair.key as Node;
      node = (pair.value as Node | null) ?? key;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | undefined;
      if (!item) break;
      key = undefined;
      node = item;
    } else break;
  }
  return { node, key };
}

function position(lines: LineCounter, offset: number): { line: number; character: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(0, line - 1), character: Math.max(0, col - 1) };
}

function sentence(message: string): string {
  const first = message
    .split("\n", 1)[0]!
    .replace(/ at line \d+, column \d+:?$/, "")
    .trim();
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
