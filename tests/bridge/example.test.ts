import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import type { OpenSession } from "../../src/bridge/session.ts";
import { stdioSession } from "../../src/bridge/sessions.ts";
import { logged, stubPath } from "../gateway/processes.ts";

interface Turn {
  readonly answer: string;
  readonly record: readonly { readonly tool: string; readonly ok: boolean; readonly sideEffect: boolean }[];
  readonly pending: readonly { readonly tool: string; readonly arguments: object }[];
}
type Line = string | [string, object][];
interface Example {
  runTurn(options: object): Promise<Turn>;
  scriptedModel(lines: Line[]): unknown;
}

const folder = mkdtempSync(join(tmpdir(), "example-"));
const log = join(folder, "log");
let example: Example;
let session: OpenSession;
let dispatcher: McpDispatcher;

beforeAll(async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const outfile = join(root, "node_modules", ".cache", "iaip-tests", `tool-loop-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, "src/bridge/example/tool-loop.mjs")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "iaip-dsl/bridge": join(root, "src/bridge/index.ts") },
    logLevel: "error",
  });
  example = (await import(pathToFileURL(outfile).href)) as Example;
  session = await stdioSession(process.execPath, { args: [stubPath], env: { STUB_LOG: log } });
  dispatcher = await McpDispatcher.create(session);
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

const turn = (lines: Line[], more: object = {}) =>
  example.runTurn({
    dispatcher,
    model: example.scriptedModel(lines),
    messages: [{ role: "user", content: "go" }],
    ...more,
  });

describe("the example host", () => {
  it("calls what the model asks for and gives the answer back", async () => {
    const told = await turn([[["echo", { text: "a" }]], "said"]);
    expect(told).toMatchObject({
      answer: "said",
      pending: [],
      record: [{ tool: "echo", ok: true, sideEffect: false }],
    });
  });

  it("lets the model mend its arguments, and does not repeat a call that failed", async () => {
    const told = await turn([[["echo", {}]], [["echo", {}]], [["echo", { text: "b" }]], "done"]);
    expect(told.record.map((one) => one.ok)).toEqual([false, true]);
  });

  it("holds a destructive tool until a person agreed", async () => {
    const held = await turn([[["wipe", { all: true }]], "done"]);
    expect(held).toMatchObject({ record: [], pending: [{ tool: "wipe", arguments: { all: true } }] });
    const done = await turn([[["wipe", { all: true }]], "done"], { confirmed: ["wipe"] });
    expect(done).toMatchObject({ answer: "done", record: [{ tool: "wipe", ok: true, sideEffect: true }] });
  });

  it.each(["result", "block"])(
    "holds a call whose %s asks, and commits it when it comes again with the argument it was given",
    async (what) => {
      const held = await turn([[["commit", { what }]], "done"]);
      expect(held.pending).toEqual([{ tool: "commit", arguments: { what, confirm: `yes, ${what}` } }]);
      expect(held.record).toMatchObject([{ sideEffect: false }]);
      expect(logged(log)).not.toContain(`committed ${what}`);
      const without = turn(["done"], { replay: [{ tool: "commit", arguments: { what } }] });
      await expect(without).rejects.toThrow("commit was confirmed and still asks");
      expect(logged(log)).not.toContain(`committed ${what}`);
      await turn(["done"], { replay: held.pending });
      expect(logged(log)).toContain(`committed ${what}`);
    },
  );

  it("offers and runs only what reads in read-only mode", async () => {
    const told = await turn([[["wipe", {}]], "done"], { readOnly: true, confirmed: ["wipe"] });
    expect(told.record).toMatchObject([{ tool: "wipe", ok: false }]);
  });

  it("ends the turn on a fault that no model can mend", async () => {
    await expect(turn([[["die", {}]], "done"])).rejects.toMatchObject({ name: "McpDispatchError", tool: "die" });
  });
});
