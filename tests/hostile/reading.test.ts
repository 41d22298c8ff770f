import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finish } from "../../src/base/steps.ts";
import { type Format, formats } from "../../src/core/text/formats/format.ts";
import { readDocument } from "../../src/core/text/formats/read-document.ts";
import { read } from "../terms/rule-set.ts";

const program = join(import.meta.dirname, "../../dist/iaip-dsl.mjs");
const isLong = process.env.IAIP_LONG === "1";
/** The longest text that the tool takes; a part of it where time is short. */
const size = isLong ? 2 * 1024 * 1024 : 512 * 1024;
const fill = (unit: string, length = size): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const markdownUnits = [
  ">",
  "> ",
  "- ",
  "+ ",
  "1. ",
  "- a\n",
  "a\n\n",
  "# a\n",
  "> - ",
  "- > 1. ",
  "https://a.b/c ",
  "http://a@b.c/",
  "www.a.b ",
  "*a* ",
  "[a](",
  "`a ",
  "<a ",
  "&amp;",
  "|a",
  "|a|b|\n|-|-|\n",
  "~~a",
  "a  \n",
  "close the gap ",
  "The Indians believed. ",
  "<!-- iaip-dsl-disable gap.bridged -->\n\n",
  "Etuaptmumk ",
];

let folder = "";
let child: ChildProcess | undefined;
let url = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hostile-"));
  child = spawn(
    process.execPath,
    [program, "serve", "--mcp", "http:127.0.0.1:0", "--ledger", "none", "--log-level", "info"],
    {
      cwd: folder,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  url = await new Promise<string>((resolve, reject) => {
    let seen = "";
    child?.stderr?.on("data", (data: Buffer) => {
      seen += data.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(seen);
      if (found !== null) resolve(found[0]);
    });
    child?.once("exit", () => reject(new Error(`the server ended: ${seen}`)));
  });
}, 120_000);

afterAll(() => {
  child?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function call(
  name: string,
  args: object,
): Promise<{ result?: { isError?: boolean; structuredContent?: object } }> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as { result?: { isError?: boolean } };
}

/** Asks one thing after the other until `work` has ended; how many were answered, and the longest wait. */
async function meanwhile(work: Promise<unknown>): Promise<{ readonly answers: number; readonly longest: number }> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  let answers = 0;
  let longest = 0;
  const ask = async (question: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await question();
    longest = Math.max(longest, performance.now() - start);
    answers += 1;
  };
  while (!isOver) {
    await ask(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200));
    await ask(() => call("iaip_concept_lookup", { concept: "etuaptmumk", depth: "brief" }));
  }
  await work;
  return { answers, longest };
}

describe("while one hostile text is read", () => {
  it("the others are answered, for every kind of Markdown", { timeout: 1_800_000 }, async () => {
    await call("iaip_validate_terminology", { text: "Warm up. We close the gap." });
    const idle = await meanwhile(new Promise((resolve) => setTimeout(resolve, 300)));
    const rows: string[] = [];
    for (const unit of markdownUnits) {
      const start = performance.now();
      const work = call("iaip_validate_terminology", { text: fill(unit) });
      const { answers, longest } = await meanwhile(work);
      const took = performance.now() - start;
      expect((await work).result?.structuredContent, JSON.stringify(unit)).toBeDefined();
      // Others get their turn all along: several answers, none of them only at the end.
      expect(answers, `${JSON.stringify(unit)}: ${answers} answers in ${Math.round(took)} ms`).toBeGreaterThan(2);
      expect(longest, `${JSON.stringify(unit)}: waited ${Math.round(longest)} of ${Math.round(took)} ms`).toBeLessThan(
        Math.max(took * 0.75, 20 * idle.longest),
      );
      rows.push(
        `${JSON.stringify(unit).padEnd(48)} ${Math.round(took)} ms, ${answers} answers, longest wait ${Math.round(longest)} ms`,
      );
    }
    if (isLong) console.info([`idle: longest wait ${Math.round(idle.longest)} ms`, ...rows].join("\n"));
  });

  it("sixteen at once are read one after another, and the others are answered", { timeout: 1_800_000 }, async () => {
    const work = Promise.all(
      Array.from({ length: 16 }, () => call("iaip_validate_terminology", { text: fill("> ", size / 4) })),
    );
    const start = performance.now();
    const { answers, longest } = await meanwhile(work);
    expect(answers).toBeGreaterThan(4);
    expect(longest).toBeLessThan((performance.now() - start) / 2);
  });
});

const units: readonly string[] = [
  "/*",
  "//\n",
  "# a\n",
  "#",
  '"',
  "'",
  "`",
  '"""a\n',
  "'''",
  "`${",
  "{",
  "<a>",
  "<a b={",
  "<!--",
  "<em>",
  "&",
  "a: ",
  "- ",
  "? ",
  "&a ",
  "[",
  "{a: ",
  "a: |\n",
  " a:\n",
  ".. a\n",
  ".. note::\n\n   ",
  "`a <",
  ":a:`",
  " a\n",
  "| a\n",
  "a\n===\n",
  "= a\n",
  "----\n",
  "<<a",
  "a:: b\n",
  "[a]\n",
  "* a\n",
  "|===\n|a\n",
  "\\begin{a}",
  "\\a{",
  "$",
  "%a\n",
  'r#"',
  'R"a(',
  "--[==[",
  "<<A\n",
  "=begin\n",
  'msgid "a"\nmsgstr "b"\n',
  '{"title": "a", ',
  '"\\u0041',
  "#+begin_src\n",
  "* TODO a\n",
  "[[a][",
  ":a:\n",
  "{{ a ",
  "!!! note\n    a\n\n",
  ":::{note}\n",
  "<a ",
  "(",
  "\t",
  "\u00a0",
  "e\u0301",
  "\ud83d",
  "\0",
  "\r",
];

describe("every format", () => {
  for (const { format } of formats) {
    it(`${format} is read in time that grows with a hostile text`, { timeout: 900_000 }, () => {
      const cost = (text: string): number => {
        const start = process.cpuUsage();
        finish(readDocument(text, format as Format));
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      };
      const long = isLong ? 400_000 : 60_000;
      for (const unit of units) {
        cost(fill(unit, long / 8));
        const small = Math.min(cost(fill(unit, long / 4)), cost(fill(unit, long / 4)));
        const large = Math.min(cost(fill(unit, long)), cost(fill(unit, long)));
        expect(large, `${JSON.stringify(unit)}: ${small} ms for a quarter, ${large} ms for all`).toBeLessThan(
          9 * small + 200,
        );
      }
    });
  }
});

describe("what a hostile text holds", () => {
  it("is still read behind the point where its structure is given up", () => {
    const text = `${fill("- a\n", 400_000)}\n\nWe close the gap to our vision. My spirit animal.\n`;
    expect(read(text).findings.map((finding) => finding.rule)).toContain("borrowed.spirit-animal");
    expect(read(`${fill("- ", 2_000)}my spirit animal\n`).findings_total).toBe(1);
  });
});
