import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../src/cli/program.ts";
import { StdioPeer } from "./mcp/stdio-peer.ts";
import { conceptFile, teaVocabulary } from "./support/small-vocabulary.ts";

const program = join(import.meta.dirname, "../dist/iaip-dsl.mjs");
const shippedConcepts = join(import.meta.dirname, "../concepts");

let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "iaip-process-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, XDG_DATA_HOME: folder, ...env } });
  children.push(child);
  child.stderr.setEncoding("utf8");
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  return { child, peer: new StdioPeer(child.stdin, child.stdout) };
}

/** Runs a command line in this process, with streams of its own. */
async function cli(args: readonly string[], options: { readonly env?: NodeJS.ProcessEnv } = {}) {
  const collect = () => {
    const chunks: Buffer[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
  };
  const [stdout, stderr] = [collect(), collect()];
  const code = await run(args, {
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { XDG_DATA_HOME: folder, ...options.env },
    cwd: folder,
    isTerminal: false,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function writeConcepts(files: Readonly<Record<string, string>>): string {
  const root = join(folder, "words");
  for (const [file, text] of Object.entries({ ...teaVocabulary, ...files })) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

const rows = (file: string): number => {
  const db = new Database(file, { readonly: true });
  try {
    const { name } = db
      .prepare("select name from sqlite_master where type = 'table' and sql like '%context%' limit 1")
      .get() as { name: string };
    return (db.prepare(`select count(*) as n from "${name}"`).get() as { n: number }).n;
  } finally {
    db.close();
  }
};

describe("serve --mcp stdio", () => {
  test.each([
    ["a broken file", () => ["--concepts", writeConcepts({ "craft/a.yaml": "id: [" }), "--log-level", "debug"]],
    ["a missing folder", () => ["--concepts", join(folder, "nowhere"), "--log-level", "debug"]],
    ["debug logging", () => ["--log-level", "debug"]],
    ["a ledger that cannot be written", () => ["--ledger", join(program, "ledger.db"), "--log-level", "debug"]],
    ["a folder as its ledger", () => ["--ledger", folder, "--log-level", "debug"]],
  ])("with %s prints nothing but JSON-RPC on stdout and answers", async (_what, args) => {
    const { child, peer } = start(["serve", "--mcp", "stdio", ...args()]);
    const chunks: string[] = [];
    child.stdout.on("data", (chunk: string) => chunks.push(chunk));
    await peer.initialize();
    await peer.ask("tools/list");
    await peer.call("iaip_concept_search", {});
    await peer.call("iaip_wisdom_ledger_log", { concept: "respect", agent_id: "a", context: "c" });
    for (const line of chunks.join("").split("\n").filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  test.each(["end of stdin", "SIGINT", "SIGTERM"])(
    "ends within a second of %s in the middle of writes, with every acknowledged event on disk",
    async (how) => {
      const file = join(folder, "ledger.db");
      const { child, peer } = start(["serve", "--mcp", "stdio", "--ledger", file]);
      await peer.initialize();
      let told = 0;
      const note = (i: number) =>
        peer
          .call("iaip_wisdom_ledger_log", { concept: "respect", agent_id: "a", context: `use ${i}` })
          .then(({ result }) => {
            if (result?.isError !== true) told++;
          });
      await note(0);
      for (let i = 1; i <= 300; i++) void note(i);
      await peer.call("iaip_concept_lookup", { concept: "respect" });
      const from = performance.now();
      if (how === "end of stdin") peer.end();
      else child.kill(how as NodeJS.Signals);
      const [code] = (await once(child, "exit")) as [number | null];
      expect(performance.now() - from).toBeLessThan(process.env.CI ? 3_000 : 1_500);
      expect(code).toBe(0);
      expect(told).toBeGreaterThan(0);
      expect(rows(file)).toBeGreaterThanOrEqual(told);
    },
  );

  test("two processes with 500 concurrent events each keep 1,000", async () => {
    const file = join(folder, "ledger.db");
    const servers = [0, 1].map(() => start(["serve", "--mcp", "stdio", "--ledger", file]));
    await Promise.all(servers.map(({ peer }) => peer.initialize()));
    const answers = await Promise.all(
      servers.flatMap(({ peer }, p) =>
        Array.from({ length: 500 }, (_, i) =>
          peer.call("iaip_wisdom_ledger_log", { concept: "respect", agent_id: `agent ${p}`, context: `use ${i}` }),
        ),
      ),
    );
    expect(answers.filter((it) => it.result?.isError === true)).toEqual([]);
    expect(rows(file)).toBe(1_000);
  });
});

describe("the command line", () => {
  test("runs from its folder alone, with no package beside it", async () => {
    const copy = join(folder, "copy");
    cpSync(dirname(program), copy, { recursive: true });
    const version = execFileSync(process.execPath, [join(copy, "iaip-dsl.mjs"), "--version"], { encoding: "utf8" });
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    const found = execFileSync(
      process.execPath,
      [join(copy, "iaip-dsl.mjs"), "call", "iaip_concept_lookup", '{"concept":"respect"}', "--ledger", "none"],
      { encoding: "utf8", env: { ...process.env, IAIP_DSL_CONCEPTS: shippedConcepts } },
    );
    expect(found).toContain("Respect");
  });

  test("tells a concept as text and as JSON, and a refusal with exit 1", async () => {
    expect((await cli(["call", "iaip_concept_lookup", '{"concept":"etuaptmumk","depth":"brief"}'])).stdout).toMatch(
      /^### Etuaptmumk/,
    );
    const json = await cli(["call", "iaip_concept_lookup", '{"concept":"etuaptmumk","depth":"brief"}', "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ concept: { id: "two-eyed-seeing" } });
    const refused = await cli(["call", "iaip_concept_lookup", '{"concept":"qwxyz"}', "--json"]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      refused: { text: expect.stringContaining("qwxyz"), did_you_mean: [], candidates: [] },
    });
  });

  test.each([
    [["serve"], "Nothing is asked for"],
    [["serve", "--mcp", "stdio", "--lsp", "stdio"], "One stdio carries one protocol"],
    [["serve", "--mpc", "stdio"], "Did you mean --mcp?"],
    [["serve", "--mcp", "http:7331"], "http:HOST:PORT"],
    [["serve", "--mcp", "http:0.0.0.0:0"], "--token-file FILE"],
    [["serve", "--mcp", "stdio", "--tools", "iaip_concept_lokup"], "Did you mean `iaip_concept_lookup`?"],
    [["serve", "--mcp", "stdio", "--log-level", "loud"], "debug, info, warn, error, silent"],
    [["cal"], "Did you mean call?"],
    [["call", "iaip_lookup"], "There is no tool `iaip_lookup`"],
    [["call", "iaip_concept_lookup", "{broken"], undefined],
  ])("%j is told in one line and ends with its exit code", async (args, words) => {
    const { code, stdout, stderr } = await cli(args);
    expect(code).toBe(words === undefined ? 1 : 2);
    if (words === undefined) expect(stdout).toContain("must be an object");
    else expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/ {4}at /);
  });

  test.each([
    ["MCP", ["--mcp", "http"]],
    ["LSP", ["--lsp", "tcp"]],
  ])("a port that is taken is told in one line by the %s front", async (_what, [flag, scheme]) => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { readonly port: number };
    const { code, stderr } = await cli(["serve", flag!, `${scheme}:127.0.0.1:${port}`, "--ledger", "none"]);
    taken.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^iaip-dsl: .* taken.*\n$/);
  });

  test("the vocabulary comes from the flag, else the environment, else the project file, and an unknown key names the nearest", async () => {
    const root = writeConcepts({ "craft/steep.yaml": conceptFile("steep") });
    writeFileSync(join(folder, ".iaip-dsl.yaml"), "concepts: words\n");
    expect((await cli(["concepts", "list"])).stdout).toContain("steep");
    expect((await cli(["concepts", "list"], { env: { IAIP_DSL_CONCEPTS: "elsewhere" } })).stdout).not.toContain(
      "steep",
    );
    expect(
      (await cli(["concepts", "list", "--concepts", root], { env: { IAIP_DSL_CONCEPTS: "elsewhere" } })).stdout,
    ).toContain("steep");
    writeFileSync(join(folder, ".iaip-dsl.yaml"), "concept: words\n");
    const wrong = await cli(["concepts", "list"]);
    expect(wrong).toMatchObject({ code: 0, stderr: expect.stringContaining("Did you mean `concepts`?") });
    expect(wrong.stderr).toContain(`${join(folder, ".iaip-dsl.yaml")}:1:1: `);
  });

  test("an empty environment variable counts as none", async () => {
    const env = { IAIP_DSL_ALLOW_ANONYMOUS: "", IAIP_DSL_CONCEPTS: "", IAIP_DSL_LOG_LEVEL: "", IAIP_DSL_GRANT: "" };
    const listed = await cli(["concepts", "list"], { env });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("two-eyed-seeing") });
    const wide = await cli(["serve", "--mcp", "http:0.0.0.0:0", "--ledger", "none"], { env });
    expect(wide).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing says who may come in") });
  });

  test("call --stream answers each line, whatever JSON it is", () => {
    const input = 'null\n5\n[]\n{"tool":{}}\n{\n{"tool":"iaip_concept_lookup","arguments":{"concept":"respect"}}\n';
    const out = execFileSync(process.execPath, [program, "call", "--stream", "--ledger", "none"], { input });
    const lines = String(out).trim().split("\n");
    expect(lines.slice(0, 5).every((it) => it.startsWith('{"refused"'))).toBe(true);
    expect(JSON.parse(lines[5]!)).toMatchObject({ concept: { id: "respect" } });
  });

  test.each(["call iaip_concept_search {} --json", "call --stream", "concepts list"])(
    "%s whose reader is gone ends without a word",
    async (line) => {
      const { child } = start([...line.split(" "), "--log-level", "error"]);
      let said = "";
      child.stderr.on("data", (text: string) => {
        said += text;
      });
      child.stdout.destroy();
      child.stdin.end('{"tool":"iaip_concept_search","arguments":{}}\n'.repeat(50));
      const [code] = (await once(child, "exit")) as [number | null];
      expect({ code, said }).toEqual({ code: 0, said: "" });
    },
  );

  test("every command has help, on stdout and with exit 0", async () => {
    const commands = [
      "serve",
      "lsp",
      "call",
      "check",
      "explain",
      "kag",
      "token",
      "token create",
      "concepts",
      "concepts check",
      "concepts new",
      "concepts withdraw",
      "ledger",
      "ledger summary",
      "history",
      "gateway",
      "gateway probe",
      "adapt",
    ];
    for (const command of commands) {
      const { code, stdout, stderr } = await cli([...command.split(" "), "--help"]);
      expect({ command, code, stderr, usage: stdout.startsWith(`Usage: iaip-dsl ${command}`) }).toEqual({
        command,
        code: 0,
        stderr: "",
        usage: true,
      });
    }
  });

  test("another community's vocabulary brings its own enums", async () => {
    const root = writeConcepts({ "craft/steep.yaml": conceptFile("steep") });
    const ok = await cli(["call", "iaip_direction_concepts", '{"direction":"first"}', "--json", "--concepts", root]);
    expect(JSON.parse(ok.stdout)).toMatchObject({ scheme: "steps-v1", concepts: [{ id: "steep" }] });
    expect(
      (await cli(["call", "iaip_direction_concepts", '{"direction":"east"}', "--concepts", root])).stdout,
    ).toContain("one of `first`, `then`");
  });

  test("a folder with a link that goes round, a file nobody may read and a binary file is served all the same", async () => {
    const root = writeConcepts({ "craft/steep.yaml": conceptFile("steep"), "craft/noise.yaml": "\0\0\0" });
    symlinkSync("..", join(root, "craft/round"));
    mkdirSync(join(root, "locked"));
    chmodSync(join(root, "locked"), 0o000);
    const { stdout, code } = await cli(["concepts", "check", "--concepts", root]);
    chmodSync(join(root, "locked"), 0o700);
    expect(code).toBe(1);
    expect(stdout).toContain("folder.loop");
    expect(stdout).toContain("file.binary");
    expect((await cli(["concepts", "list", "--concepts", root])).stdout).toContain("steep");
  });

  test("concepts new writes a file that loads, and refuses to write over one", async () => {
    const root = writeConcepts({});
    const flags = [
      "--id",
      "slow-pour",
      "--name",
      "Slow Pour",
      "--category",
      "Craft",
      "--family",
      "kitchen",
      "--holder",
      "the kitchen",
      "--by-line",
      "kitchen words",
      "--direction",
      "first",
      "--basis",
      "order of work",
      "--definition",
      "Pouring so that the leaves are not disturbed at all.",
      "--source",
      "B1",
    ];
    expect((await cli(["concepts", "new", "--concepts", root, ...flags])).code).toBe(0);
    expect((await cli(["concepts", "list", "--concepts", root])).stdout).toContain("Slow Pour");
    expect((await cli(["concepts", "new", "--concepts", root, ...flags])).stderr).toContain(
      "`slow-pour` is taken by craft/slow-pour.yaml",
    );
    expect(
      (await cli(["concepts", "new", "--concepts", root, "--id", "x", "--name", "X", "--category", "Crafty"])).stderr,
    ).toContain("Did you mean `Craft`?");
  });

  test("concepts withdraw leaves a notice in place of the content, and a running server follows", async () => {
    const root = writeConcepts({ "craft/steep.yaml": conceptFile("steep") });
    const { peer } = start(["serve", "--mcp", "stdio", "--concepts", root, "--ledger", "none"]);
    await peer.initialize();
    const text = async (): Promise<string> => {
      const { result } = await peer.call("iaip_concept_lookup", { concept: "steep" });
      return (result!.content as { text: string }[])[0]!.text;
    };
    expect(await text()).toContain("What cooks call steep");
    await peer.ask("resources/subscribe", { uri: "iaip://concepts/steep" });
    const changed = new Promise<void>((resolve) => {
      peer.output.on("data", () => {
        if (peer.notifications("notifications/resources/updated").length > 0) resolve();
      });
    });
    const done = await cli([
      "concepts",
      "withdraw",
      "steep",
      "--reason",
      "the kitchen asked for it",
      "--contact",
      "the head cook",
      "--date",
      "2026-11-30",
      "--concepts",
      root,
      "--ledger",
      join(folder, "l.db"),
    ]);
    expect(done.code).toBe(0);
    await changed;
    expect(await text()).toContain("withdrawn on 2026-11-30: the kitchen asked for it");
    expect(await text()).not.toContain("What cooks call steep");
    expect(readFileSync(join(root, "craft/steep.yaml"), "utf8")).toContain("definition");
  });

  test("concepts check tells problems as SARIF and JSON", async () => {
    const root = writeConcepts({ "craft/steep.yaml": conceptFile("steep", "usage_context: [x]\n") });
    const sarif = JSON.parse((await cli(["concepts", "check", "--format", "sarif", "--concepts", root])).stdout);
    expect(sarif).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: "field.unknown", level: "error" }] }],
    });
    const json = JSON.parse((await cli(["concepts", "check", "--format", "json", "--concepts", root])).stdout);
    expect(json.problems[0]).toMatchObject({ code: "field.unknown", file: "craft/steep.yaml" });
  });
});
