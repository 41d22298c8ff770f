import { GFM, parser } from "@lezer/markdown";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CodeAction, Diagnostic, TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parseAllDocuments } from "yaml";
import { replaceValues } from "../../src/lsp/yaml/yaml-edit.ts";
import { yamlFields } from "../../src/lsp/yaml/yaml-fields.ts";
import { conceptFile } from "../support/small-vocabulary.ts";
import { openWorld, teaConcepts, type World } from "./support/world.ts";

const long = process.env.IAIP_LONG === "1";

let world: World;
beforeAll(async () => {
  world = await openWorld({
    concepts: {
      ...teaConcepts,
      "ware/flow.yaml": conceptFile("flow", "names: [{text: Leaf Warden, language: made-up}]\n"),
    },
  });
});
afterAll(() => world.close());

interface Offer {
  readonly title: string;
  readonly after: string;
  readonly edits: readonly { readonly start: number; readonly end: number; readonly newText: string }[];
  readonly diagnostic: Diagnostic;
}

let opened = 0;

/** What the server says of a text, and each edit that it offers for it, made. */
async function offersFor(text: string, ending: string): Promise<{ found: readonly Diagnostic[]; offers: Offer[] }> {
  const { peer } = world;
  opened += 1;
  const uri = world.uri(`edit-${opened}.${ending}`);
  await peer.open(uri, text, languageIds[ending]);
  const found = (await peer.pull(uri)).items ?? [];
  const document = TextDocument.create(uri, "", 0, text);
  const offers: Offer[] = [];
  for (const diagnostic of found) {
    const actions = await peer.request<CodeAction[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    });
    for (const { title, edit, diagnostics } of actions) {
      if (edit === undefined || diagnostics?.[0]?.code !== diagnostic.code) continue;
      if (JSON.stringify(diagnostics?.[0]?.range) !== JSON.stringify(diagnostic.range)) continue;
      const edits = editsIn(edit, uri);
      const spans = edits.map((it) => ({
        start: document.offsetAt(it.range.start),
        end: document.offsetAt(it.range.end),
        newText: it.newText,
      }));
      offers.push({ title, after: TextDocument.applyEdits(document, [...edits]), edits: spans, diagnostic });
    }
  }
  await peer.close(uri);
  return { found, offers };
}

const languageIds: Readonly<Record<string, string>> = {
  md: "markdown",
  mdx: "mdx",
  html: "html",
  rst: "restructuredtext",
  adoc: "asciidoc",
};

function editsIn(edit: WorkspaceEdit, uri: string): readonly TextEdit[] {
  const changes = (edit.documentChanges ?? []) as TextDocumentEdit[];
  return changes.filter((it) => it.textDocument.uri === uri).flatMap((it) => it.edits as TextEdit[]);
}

/** What a finding is, whatever line it has moved to. */
const keyOf = ({ code, message }: Diagnostic): string => `${String(code)} ${String(message)}`;

/** The Markdown blocks and marks of a text, comments left out. */
function shapeOf(text: string): readonly string[] {
  const shape: string[] = [];
  const bare = text.replace(/^\uFEFF?(?:---|\+\+\+)\n[\s\S]*?\n(?:---|\+\+\+)\n/, "");
  parser
    .configure(GFM)
    .parse(bare)
    .iterate({
      enter: (node) => {
        if (/^Comment/.test(node.name)) return false;
        shape.push(node.name);
        return true;
      },
      leave: (node) => {
        if (!/^Comment/.test(node.name)) shape.push(`/${node.name}`);
      },
    });
  return shape;
}

const finding = "a nameless pot";
const phrases = [
  finding,
  "Nameless pots boil",
  "hurry up",
  "a data steward",
  "fine words",
  "the nameless\npot",
  "*nameless pot*",
];

/** Blocks of each format, with `%` where words stand. */
const blocks: Readonly<Record<string, readonly string[]>> = {
  md: [
    "%",
    "One line\n%",
    "%\nmore words",
    "# %",
    "## % ##",
    "%\n===",
    "- %",
    "- one\n- %\n  more",
    "1. %",
    "> %",
    "> one\n> %",
    "| a | b |\n|---|---|\n| % | c |",
    "%  \nsecond",
    "one  \n%",
    "%\\\nsecond",
    "```\n%\n```",
    "    %",
    "<div>\n%\n</div>",
    "[x]: https://example.org",
    "**%** and",
    "- [ ] %",
  ],
  mdx: ["%", "One line\n%", "# %", "- %", "> %", "<Box>\n\n%\n\n</Box>", "import x from 'x'"],
  html: [
    "<p>%</p>",
    "<p>one\n%</p>",
    "<ul>\n<li>%</li>\n</ul>",
    "<h1>%</h1>",
    "<img alt='%'\n src='x'>",
    "<title>%</title>",
    "<pre>%</pre>",
  ],
  rst: [
    "%",
    "One line\n%",
    "%\nmore words",
    "Title\n=====",
    "%\n=====================",
    "- %",
    "1. %",
    "  %",
    "%::\n\n  code",
    ".. note:: %",
    ".. code::\n\n   %",
    "term\n  %",
    ":field: %",
    "| %",
    "=====  =====\na      b\n=====  =====\nx      y\n=====  =====",
  ],
  adoc: ["%", "One line\n%", "== %", "* %", ". %", "|===\n| % | b\n|===", "----\n%\n----", "NOTE: %", "term:: %"],
};
const tops: readonly string[] = ["", "---\ntitle: x\n---\n", '+++\ntitle = "x"\n+++\n', "\uFEFF"];

const documents = fc
  .constantFrom(...Object.keys(blocks))
  .chain((ending) =>
    fc.record({
      ending: fc.constant(ending),
      top: fc.constantFrom(...(ending === "md" || ending === "mdx" ? tops : [""])),
      parts: fc.array(fc.tuple(fc.constantFrom(...(blocks[ending] ?? [])), fc.constantFrom(...phrases)), {
        minLength: 1,
        maxLength: 5,
      }),
      newline: fc.constantFrom("\n", "\r\n"),
      ends: fc.boolean(),
    }),
  )
  .map(({ ending, top, parts, newline, ends }) => {
    const body = parts.map(([block, phrase]) => block.replace("%", phrase)).join("\n\n");
    return { ending, text: `${top}${body}${ends ? "\n" : ""}`.replaceAll("\n", newline) };
  });

describe("every edit of prose that is offered", () => {
  test("changes nothing but what it says: bytes, blocks and the other findings stay", {
    timeout: 600_000,
  }, async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(documents, async ({ ending, text }) => {
        const { found, offers } = await offersFor(text, ending);
        for (const { title, after, edits, diagnostic } of offers) {
          made += 1;
          const isSuppression = title.startsWith("Ignore");
          for (const { start, end, newText } of edits) {
            if (isSuppression) expect([title, end - start]).toEqual([title, 0]);
            else expect(text.slice(start, end).toLowerCase()).toContain("nameless");
            if (text.includes("\r\n")) expect(newText.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
          }
          for (const top of tops.filter((it) => it !== "")) {
            const own = text.includes("\r\n") ? top.replaceAll("\n", "\r\n") : top;
            if (text.startsWith(own)) expect(after.startsWith(own)).toBe(true);
          }
          const left = (await offersFor(after, ending)).found.map(keyOf);
          const gone = isSuppression
            ? (it: Diagnostic) => it.code === diagnostic.code
            : (it: Diagnostic) => it === diagnostic;
          const others = found.filter((it) => !gone(it)).map(keyOf);
          for (const key of left) expect(found.map(keyOf)).toContain(key);
          for (const key of others) expect(left).toContain(key);
          expect(left.length).toBeLessThan(found.length);
          if (ending === "md") expect(shapeOf(after.replaceAll("\r", ""))).toEqual(shapeOf(text.replaceAll("\r", "")));
        }
      }),
      { numRuns: long ? 2000 : 120 },
    );
    expect(made).toBeGreaterThan(100);
  });

  const cases: readonly (readonly [string, string, string, string])[] = [
    [
      "above TOML front matter",
      "md",
      '+++\ntitle = "x"\n+++\nA nameless pot.\n',
      '+++\ntitle = "x"\n+++\n<!-- iaip-dsl-disable pot.discouraged -->\n\nA nameless pot.\n',
    ],
    [
      "above YAML front matter",
      "md",
      "---\ntitle: x\n---\nA nameless pot.\n",
      "---\ntitle: x\n---\n<!-- iaip-dsl-disable pot.discouraged -->\n\nA nameless pot.\n",
    ],
    [
      "at the top of Markdown",
      "md",
      "A nameless pot.\n",
      "<!-- iaip-dsl-disable pot.discouraged -->\n\nA nameless pot.\n",
    ],
    [
      "behind an XML declaration",
      "html",
      "<?xml version='1.0'?>\n<p>A nameless pot.</p>\n",
      "<?xml version='1.0'?>\n<!-- iaip-dsl-disable pot.discouraged -->\n\n<p>A nameless pot.</p>\n",
    ],
    ["in reStructuredText", "rst", "A nameless pot.\n", ".. iaip-dsl-disable pot.discouraged\n\nA nameless pot.\n"],
    ["in AsciiDoc", "adoc", "A nameless pot.\n", "// iaip-dsl-disable pot.discouraged\n\nA nameless pot.\n"],
  ];
  test.each(cases)("the whole file is silenced %s", async (_where, ending, text, expected) => {
    const { offers } = await offersFor(text, ending);
    expect(offers.find((it) => it.title.endsWith("in this file"))?.after).toBe(expected);
  });

  const lines: readonly (readonly [string, string, string, string | undefined])[] = [
    [
      "a paragraph of reStructuredText",
      "rst",
      "One line\nand a nameless pot.\n\nMore.\n",
      ".. iaip-dsl-disable pot.discouraged\n\nOne line\nand a nameless pot.\n\n.. iaip-dsl-enable pot.discouraged\n\nMore.\n",
    ],
    ["an item of reStructuredText", "rst", "- a nameless pot\n", undefined],
    ["a paragraph before a literal block", "rst", "A nameless pot::\n\n  code\n", undefined],
    [
      "a line within a paragraph of AsciiDoc",
      "adoc",
      "One line\nand a nameless pot.\n",
      "// iaip-dsl-disable pot.discouraged\nOne line\nand a nameless pot.\n// iaip-dsl-enable pot.discouraged\n",
    ],
    [
      "a table's row",
      "md",
      "| a | b |\n|---|---|\n| c | nameless pot |\n",
      "| a | b |\n|---|---|\n| c | nameless pot <!-- iaip-dsl-disable-line pot.discouraged --> |\n",
    ],
    [
      "a line that ends with a hard break",
      "md",
      "one\na nameless pot  \ntwo\n",
      "one\na nameless pot <!-- iaip-dsl-disable-line pot.discouraged -->  \ntwo\n",
    ],
  ];
  test.each(lines)("%s is silenced where that changes nothing else", async (_where, ending, text, expected) => {
    const { offers } = await offersFor(text, ending);
    expect(offers.find((it) => it.title.endsWith(" here"))?.after).toBe(expected);
  });
});

describe("every edit of YAML", () => {
  const names = fc.oneof(
    fc.constantFrom(
      "null",
      "~",
      "12",
      "0x1F",
      "1e3",
      "true",
      "No",
      "2001-01-01",
      "a, b",
      "a: b",
      "a #b",
      "- a",
      "? a",
      "[a]",
      "{a}",
      '"',
      "'",
      "it's",
      "\\",
      "&a",
      "*a",
      "!a",
      "|",
      ">",
      "%a",
      "@a",
      "`a",
      "😀",
      "---",
      "...",
    ),
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.string({ minLength: 1, maxLength: 20, unit: "binary" }),
  );
  const forms: readonly string[] = [
    "name: Data Steward\nother: x\n",
    'name: "Data Steward" # note\nother: x\n',
    "name: 'Data Steward'\n",
    "names: [{text: Data Steward}, {text: 'Data Steward', language: en}]\nother: [1, ~]\n",
    "names:\n  - text: Data Steward\n    language: x # y\naliases: [Data Steward, b]\n",
    "{ name: Data Steward, other: { a: b } }\n",
    "a: 1\n---\nname: Data Steward\n",
    "name:   Data Steward  \r\nother: x\r\n",
  ];

  test("gives the fields their new value, whatever it holds, and changes no other byte", () => {
    fc.assert(
      fc.property(fc.constantFrom(...forms), names, (text, value) => {
        const fields = yamlFields(text).filter((it) => it.value === "Data Steward");
        const changes = replaceValues(text, fields, value) ?? [];
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what YAML text cannot hold unescaped.
        if (!/[\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufeff\ufffe\uffff]/.test(value))
          expect(changes.length).toBe(fields.length);
        if (changes.length === 0) return;
        const document = TextDocument.create("", "", 0, text);
        const edits = changes.map(({ start, end, newText }) => ({
          range: { start: document.positionAt(start), end: document.positionAt(end) },
          newText,
        }));
        for (const { start, end } of changes) expect(text.slice(start, end)).toMatch(/^(["']?)Data Steward\1$/);
        const read = (yaml: string): unknown => parseAllDocuments(yaml).map((it) => it.toJS());
        const after = TextDocument.applyEdits(document, edits);
        const put = (it: unknown): unknown => {
          if (it === "Data Steward") return value;
          if (Array.isArray(it)) return it.map(put);
          if (typeof it !== "object" || it === null) return it;
          return Object.fromEntries(Object.entries(it).map(([key, inner]) => [key, put(inner)]));
        };
        expect(read(after)).toEqual(put(read(text)));
      }),
      { numRuns: long ? 20_000 : 1500 },
    );
  });

  test("that would change what an alias repeats, or a text that does not parse, is not made", () => {
    const shared = "name: &a Data Steward\naliases: [*a]\n";
    const field = yamlFields(shared).filter((it) => it.path.join() === "name");
    expect(replaceValues(shared, field, "Tea Steward")?.length ?? 1).toBe(1);
    const broken = "name: Data Steward\nnames: [\n";
    expect(replaceValues(broken, yamlFields(broken).slice(0, 1), "x")).toBeUndefined();
  });

  test.each([
    "Warden, of leaves",
    "Warden: of leaves",
    'Warden "of" leaves',
    "Warden's leaves",
    "null",
    "12",
    "true",
    "[leaf]",
    "- leaf",
    "leaf # note",
  ])("a name in a flow list is renamed to %s and is read as that", async (newName) => {
    const { peer } = world;
    const uri = world.conceptUri("ware/flow.yaml");
    const text = conceptFile("flow", "names: [{text: Leaf Warden, language: made-up}]\n");
    await peer.open(uri, text);
    const line = text.split("\n").findIndex((it) => it.startsWith("names:"));
    const edit = await peer.at<WorkspaceEdit>("rename", uri, line, 18, { newName });
    const after = TextDocument.applyEdits(TextDocument.create(uri, "", 0, text), [...editsIn(edit, uri)]);
    const [before, now] = [text, after].map((it) => parseAllDocuments(it)[0]?.toJS() as { names: { text: unknown }[] });
    expect(now).toEqual({ ...before, names: [{ text: newName, language: "made-up" }] });
    await peer.close(uri);
  });

  test("a name of two lines is refused in a sentence", async () => {
    const { peer } = world;
    const uri = world.conceptUri("ware/flow.yaml");
    const text = conceptFile("flow", "names: [{text: Leaf Warden, language: made-up}]\n");
    await peer.open(uri, text);
    const line = text.split("\n").findIndex((it) => it.startsWith("names:"));
    const refused = peer.at("rename", uri, line, 18, { newName: "Leaf\nWarden" });
    await expect(refused).rejects.toThrow("A name is one line of text.");
    await peer.close(uri);
  });
});
