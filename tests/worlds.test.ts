import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { run } from "../src/cli/program.ts";
import { localCaller } from "../src/core/concept/caller.ts";
import { caret } from "./lsp/support/world.ts";
import { type Both, openBoth } from "./support/both.ts";
import { conceptFile, teaVocabulary } from "./support/small-vocabulary.ts";
import { parseTxtar } from "./support/txtar.ts";

let both: Both | undefined;
afterEach(async () => {
  await both?.close();
  both = undefined;
});

interface Found {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly rule: string;
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}

/** The sections that the runner reads; another one would be an expectation that nobody checks. */
const known = ["note.md", "ask.json", "@hover", "@tool", "@diagnostics", "@findings"];

describe("worlds", () => {
  const folder = join(import.meta.dirname, "worlds");
  for (const name of readdirSync(folder)) {
    const { comment, files } = parseTxtar(readFileSync(join(folder, name), "utf8"));
    test(`${name}: ${comment}`, async () => {
      const tea = Object.fromEntries(Object.entries(teaVocabulary).map(([file, text]) => [`concepts/${file}`, text]));
      expect([...files.keys()].filter((it) => !known.includes(it) && !it.startsWith("concepts/"))).toEqual([]);
      const own = [...files].filter(([path, text]) => path.startsWith("concepts/") && text.trim() !== "@tea");
      both = await openBoth({ files: { ...tea, ...Object.fromEntries(own) } });
      await both.workspace.ready;
      expect(both.workspace.snapshot.problems).toEqual([]);
      if (files.has("note.md")) await tellEditor(both, files);
      if (files.has("ask.json")) {
        const { tool, arguments: args } = JSON.parse(files.get("ask.json")!) as { tool: string; arguments: object };
        const wanted = files.get("@tool")!.trim() === "@hover" ? files.get("@hover")! : files.get("@tool")!;
        expect(`${(await both.call(tool, args)).text}\n`).toBe(wanted);
      }
    });
  }
});

async function tellEditor({ editor, write, call, folder }: Both, files: ReadonlyMap<string, string>): Promise<void> {
  const note = files.get("note.md")!;
  const { text, line, character } = note.includes("<|>") ? caret(note) : { text: note, line: 0, character: 0 };
  const uri = await write("note.md", text);
  await editor.open(uri, text);
  if (files.has("@hover")) expect(`${(await editor.hover(uri, line, character))?.text}\n`).toBe(files.get("@hover"));
  if (files.has("@diagnostics")) {
    const told = await editor.diagnostics(uri, (all) => all.length > 0);
    const words = ["", "error", "warning", "information", "hint"];
    const lines = told.map(
      ({ range: { start, end }, severity, code }) =>
        `${start.line}:${start.character}-${end.line}:${end.character} ${words[severity!]} ${code}`,
    );
    expect(`${lines.join("\n")}\n`).toBe(files.get("@diagnostics"));
  }
  if (files.has("@findings")) {
    const { structured } = await call("iaip_validate_terminology", { text });
    const lines = (structured!.findings as readonly Found[]).map(
      (it) => `${it.line - 1}:${it.column - 1}-${it.end_line - 1}:${it.end_column - 1} ${it.severity} ${it.rule}`,
    );
    expect(`${lines.join("\n")}\n`).toBe(files.get("@findings"));
    const printed = await checked(fileURLToPath(uri), folder);
    const wording = (all: readonly Found[]) =>
      all.map(({ rule, start, end, message }) => ({ rule, start, end, message }));
    expect(wording(printed)).toEqual(wording(structured!.findings as readonly Found[]));
  }
}

/** What the command line finds in a file, with the vocabulary of a world. */
async function checked(file: string, folder: string): Promise<readonly Found[]> {
  const chunks: string[] = [];
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString("utf8"));
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout, stderr: new PassThrough(), env: {}, cwd: folder, isTerminal: false };
  await run(["check", "--format", "json", "--concepts", join(folder, "concepts"), file], io);
  const { files } = JSON.parse(chunks.join("")) as { files: readonly { findings: readonly Found[] }[] };
  return files.flatMap((it) => it.findings);
}

const shipped = join(import.meta.dirname, "../concepts");

test("hover is the very string of a brief lookup for every shipped concept, in at most 900 bytes", async () => {
  both = await openBoth({ concepts: shipped });
  await both.workspace.ready;
  const names = [...both.workspace.snapshot.undisclosed.values()].map((it) => it.name);
  const text = names.map((it) => `- ${it}`).join("\n");
  const uri = await both.write("names.md", text);
  await both.editor.open(uri, text);
  for (const [line, name] of names.entries()) {
    const hover = await both.editor.hover(uri, line, 3);
    expect(Buffer.byteLength(hover?.text ?? "")).toBeLessThanOrEqual(900);
    expect({ name, hover: hover?.text }).toEqual({
      name,
      hover: (await both.call("iaip_concept_lookup", { concept: name, depth: "brief" })).text,
    });
  }
});

describe.each([
  ["without the right", localCaller(), "This is held by the kitchen."],
  ["with the right", localCaller(["tasters"]), "Words that stay inside the circle."],
])("a restricted concept %s", (_what, caller, expected) => {
  test.each(["restricted", "ceremony_required"])("with access %s is told alike by hover and tool", async (access) => {
    const secret = `governance: { protocols: [tasters] }\nocap: { relevance: none, access: ${access}, status: not-assessed }\n`;
    both = await openBoth({
      caller,
      files: {
        ...Object.fromEntries(Object.entries(teaVocabulary).map(([file, text]) => [`concepts/${file}`, text])),
        "concepts/craft/night-pour.yaml": conceptFile("night-pour", secret, {
          definition: "Words that stay inside the circle.",
        }),
      },
    });
    const uri = await both.write("note.md", "The Night Pour is near.");
    await both.editor.open(uri, "The Night Pour is near.");
    const hover = await both.editor.hover(uri, 0, 6);
    const tool = await both.call("iaip_concept_lookup", { concept: "night pour", depth: "brief" });
    expect(hover?.text).toBe(tool.text);
    expect(tool.text).toContain(expected);
  });
});

describe("an edited vocabulary", () => {
  const world = (files: Record<string, string>) =>
    openBoth({
      watch: true,
      files: {
        ...Object.fromEntries(Object.entries(teaVocabulary).map(([file, text]) => [`concepts/${file}`, text])),
        ...files,
      },
    });
  const dawn = (definition: string) => conceptFile("dawn", "", { definition });
  const asked = async ({ editor, call, write }: Both) => {
    const uri = await write("note.md", "dawn");
    await editor.open(uri, "dawn");
    const hover = (await editor.hover(uri, 0, 1))?.text ?? null;
    await editor.close(uri);
    return { hover, tool: (await call("iaip_concept_lookup", { concept: "dawn", depth: "brief" })).text };
  };

  test("is told anew on both fronts, and announced once", async () => {
    both = await world({ "concepts/craft/dawn.yaml": dawn("What there was before.") });
    expect((await asked(both)).tool).toContain("before");
    let told = 0;
    both.workspace.onDidChange(() => told++);
    const next = both.reloaded();
    await both.write("concepts/craft/dawn.yaml", dawn("What there is after."));
    await next;
    const { hover, tool } = await asked(both);
    expect(tool).toContain("after");
    expect(hover).toBe(tool);
    expect(told).toBe(1);
  });

  test("that is half saved keeps its last good words and gains a problem; a whole save brings the new ones", async () => {
    both = await world({ "concepts/craft/dawn.yaml": dawn("What there was before.") });
    await asked(both);
    let next = both.reloaded();
    await both.write("concepts/craft/dawn.yaml", dawn("What").slice(0, 40));
    await next;
    expect((await asked(both)).tool).toContain("before");
    expect(both.workspace.snapshot.problems.length).toBeGreaterThan(0);
    next = both.reloaded();
    await both.write("concepts/craft/dawn.yaml", dawn("What there is after."));
    await next;
    expect((await asked(both)).tool).toContain("after");
    expect(both.workspace.snapshot.problems).toEqual([]);
  });

  test("gains a new concept, loses a deleted one and follows a renamed file", async () => {
    both = await world({ "concepts/craft/dawn.yaml": dawn("What there was before.") });
    await asked(both);
    let next = both.reloaded();
    await both.write("concepts/craft/dusk.yaml", conceptFile("dusk"));
    await next;
    expect((await both.call("iaip_concept_lookup", { concept: "dusk" })).isError).toBe(false);
    next = both.reloaded();
    rmSync(join(both.folder, "concepts/craft/dawn.yaml"));
    await next;
    expect((await both.call("iaip_concept_lookup", { concept: "dawn" })).isError).toBe(true);
    next = both.reloaded();
    const { renameSync } = await import("node:fs");
    renameSync(join(both.folder, "concepts/craft/dusk.yaml"), join(both.folder, "concepts/craft/evening.yaml"));
    await next;
    expect((await both.call("iaip_concept_lookup", { concept: "dusk" })).isError).toBe(false);
  });

  test("saved by writing another file and renaming it over the old one is told anew", async () => {
    both = await world({ "concepts/craft/dawn.yaml": dawn("What there was before.") });
    await asked(both);
    const { renameSync, writeFileSync } = await import("node:fs");
    const aside = join(mkdtempSync(join(tmpdir(), "iaip-aside-")), "dawn.yaml");
    writeFileSync(aside, dawn("What there is after."));
    const next = both.reloaded();
    renameSync(aside, join(both.folder, "concepts/craft/dawn.yaml"));
    await next;
    expect((await asked(both)).tool).toContain("after");
  });
});

test("a use is recorded once and durable before it is told; an unknown concept is refused", async () => {
  both = await openBoth({ concepts: shipped });
  const log = (concept: string) =>
    both!.call("iaip_wisdom_ledger_log", { concept, agent_id: "a", context: "c", session_id: "s" });
  const first = await log("Two-Eyed Seeing");
  expect(first.structured).toMatchObject({
    recorded: true,
    concept: { id: "two-eyed-seeing" },
    stored_in: "sqlite",
    totals: { concept: 1, agent: 1, session: 1 },
  });
  expect((await log("two eyed seeing")).structured).toMatchObject({ totals: { concept: 2 } });
  const refused = await log("three-eyed seeing");
  expect(refused).toMatchObject({
    isError: true,
    structured: undefined,
    text: expect.stringContaining("Nothing was recorded."),
  });
});
