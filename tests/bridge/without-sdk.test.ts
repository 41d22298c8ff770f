import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";

// A folder outside of the project: nothing there can resolve the SDK.
const folder = mkdtempSync(join(tmpdir(), "no-sdk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bridge where no SDK is installed", () => {
  it("dispatches over any session, and says how to install the SDK when asked to connect", async () => {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL("../../src/bridge/index.ts", import.meta.url))],
      outfile: join(folder, "bridge.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      metafile: true,
    });
    const imports = Object.values(bundle.metafile.outputs)[0]!.imports;
    const fixed = imports.filter((one) => one.kind === "import-statement").map((one) => one.path);
    expect(fixed.filter((path) => !path.startsWith("node:"))).toEqual([]);
    writeFileSync(
      join(folder, "use.mjs"),
      `import { McpDispatcher, McpUnavailableError, stdioSession, httpSession, sseSession } from "./bridge.mjs";
       const session = { listTools: async () => ({ tools: [{ name: "t" }] }), callTool: async () => ({ content: [{ type: "text", text: "told" }] }) };
       const dispatcher = await McpDispatcher.create(session);
       const refused = [];
       for (const open of [() => stdioSession("x"), () => httpSession("http://x"), () => sseSession("http://x")]) {
         await open().catch((error) => refused.push([error instanceof McpUnavailableError, error.name, error.message]));
       }
       console.log(JSON.stringify({ output: (await dispatcher.execute("t", {})).output, refused }));`,
    );
    const told = JSON.parse(execFileSync(process.execPath, [join(folder, "use.mjs")], { encoding: "utf8" }));
    const message =
      "connecting to an MCP server needs the official SDK, which is not installed; run: npm install @modelcontextprotocol/client";
    expect(told).toEqual({ output: "told", refused: Array(3).fill([true, "McpUnavailableError", message]) });
  });
});
