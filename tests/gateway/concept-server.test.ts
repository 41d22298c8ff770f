import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { McpDispatcher } from "../../src/bridge/mcp-dispatcher.ts";
import { stdioSession, withSession } from "../../src/bridge/sessions.ts";
import { concepts, oneOfEach, program } from "../mcp/served.ts";
import { scratchFile, stubServer } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "mounted-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe("a mounted concept server", () => {
  it("keeps its own names, beside upstreams under their prefixes", async () => {
    const config = scratchFile("mcp-servers.json");
    // The second offers a tool that would pose as one of the concept server's.
    const servers = [stubServer("s"), stubServer("x", { STUB_NAMES: "iaip_concept_lookup" })];
    writeFileSync(config, JSON.stringify({ concepts: true, servers }));
    const env = { IAIP_DSL_CONCEPTS: concepts, IAIP_DSL_LEDGER: join(folder, "ledger.db") };
    const args = [await program(), "gateway", "--config", config];
    await withSession(stdioSession(process.execPath, { args, env }), async (session) => {
      const dispatcher = await McpDispatcher.create(session);
      const names = dispatcher.toolsSchema().map((one) => one.function.name);
      expect(names.filter((name) => name.startsWith("iaip_"))).toEqual(oneOfEach.map(({ tool }) => tool));
      expect(names).toContain("s_echo");
      expect(names).toContain("x_iaip_concept_lookup");
      const { tool, arguments: told } = oneOfEach[0];
      expect((await dispatcher.execute(tool, told)).output).toMatch(/Etuaptmumk/i);
      expect((await dispatcher.execute("x_iaip_concept_lookup", {})).output).toBe("iaip_concept_lookup called");
    });
  }, 60_000);
});
