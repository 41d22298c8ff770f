import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { type Caller, localCaller, type Scope } from "../../src/core/concept/caller.ts";
import { parseConfig } from "../../src/gateway/config/config.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { makeGateway } from "../../src/gateway/serve-gateway.ts";
import { program } from "../mcp/served.ts";
import { conceptFile, teaVocabulary } from "../support/small-vocabulary.ts";
import { quick, stubServer, TestClient } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "rights-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const guarded = conceptFile(
  "first-pour",
  `ocap: { relevance: held by the tasters, access: ceremony_required, status: not-assessed }
governance: { protocols: [tasters], care: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null }
`,
  { definition: "The guarded sentence that only tasters read." },
);
const files = { ...teaVocabulary, "craft/steeping.yaml": conceptFile("steeping"), "craft/first-pour.yaml": guarded };
mkdirSync(join(folder, "craft"));
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

const open: Gateway[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

async function gatewayOver(servers: readonly object[], concepts: boolean): Promise<Gateway> {
  const gateway = makeGateway({
    config: parseConfig(JSON.stringify({ servers, concepts }), "mcp-servers.yaml"),
    environment: {
      ...process.env,
      IAIP_DSL_CONCEPTS: folder,
      IAIP_DSL_LEDGER: join(folder, "ledger.db"),
      IAIP_DSL_GRANT: "tasters",
    },
    conceptServer: { command: process.execPath, args: [await program(), "serve", "--mcp", "stdio"] },
    version: "1",
    log: silentLog,
    audit: () => {},
    auditArguments: false,
    timeouts: { ...quick, listWait: 60_000 },
    now: Date.now,
  });
  open.push(gateway);
  return gateway;
}

const token = (scopes: readonly Scope[], protocols: readonly string[] = []): Caller => ({
  kind: "token",
  name: "t",
  scopes: new Set(scopes),
  protocols: new Set(protocols),
});

async function clientOf(gateway: Gateway, caller: Caller, capabilities: object = {}): Promise<TestClient> {
  const client = new TestClient(gateway, false, caller);
  await client.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "c" } });
  return client;
}

describe("what a caller of the gateway may do", () => {
  const methods = ["resources/list", "resources/templates/list", "prompts/list", "resources/read", "prompts/get"];
  const others = ["completion/complete", "resources/subscribe", "tasks/get", "logging/setLevel"];

  it.each([...methods, ...others])("without the scope read: not %s", async (method) => {
    const client = await clientOf(await gatewayOver([stubServer("s")], false), token(["log"]));
    const answer = await client.ask(method, { uri: "stub://one", name: "s_greet", level: "info" });
    expect(answer?.error?.message).toBe(`${method} needs the scope "read", which this caller was not given.`);
  });

  it.each([
    [["read", "log"], true, true],
    [["read"], true, false],
    [["log"], false, false],
    [[], false, false],
  ] as const)(
    "with %j: reading tools %s, changing tools %s, listed and called alike",
    async (scopes, reads, writes) => {
      const client = await clientOf(await gatewayOver([stubServer("s")], false), token(scopes));
      const names = await client.toolNames();
      expect([names.includes("s_echo"), names.includes("s_wipe")]).toEqual([reads, writes]);
      const called = async (name: string) => {
        const answer = await client.ask("tools/call", { name, arguments: { text: "x" } });
        return answer?.error === undefined;
      };
      expect([await called("s_echo"), await called("s_wipe")]).toEqual([reads, writes]);
    },
  );

  it("with log alone: record a use of a concept, and read none", async () => {
    const client = await clientOf(await gatewayOver([], true), token(["log"]));
    expect(await client.toolNames()).toEqual(["iaip_wisdom_ledger_log"]);
    const read = await client.ask("tools/call", { name: "iaip_concept_lookup", arguments: { concept: "steeping" } });
    expect(read?.error?.message).toContain('was not given the scope "read"');
    const use = { concept: "steeping", agent_id: "a", context: "brewing" };
    expect((await client.call("iaip_wisdom_ledger_log", use)).isError).not.toBe(true);
  }, 60_000);
});

describe("a grant of the person who runs the gateway", () => {
  const sentence = "The guarded sentence";
  const lookup = async (client: TestClient) =>
    JSON.stringify(
      await client.ask("tools/call", { name: "iaip_concept_lookup", arguments: { concept: "first-pour" } }),
    );

  it("reaches no caller, and a caller's own opens what it guards, side by side", async () => {
    const gateway = await gatewayOver([], true);
    const callers: readonly (readonly [Caller, boolean])[] = [
      [token(["read"]), false],
      [token(["read"], ["tasters"]), true],
      [token(["read"], ["others"]), false],
      [localCaller(), false],
      [localCaller(["tasters"]), true],
    ];
    const shared = await Promise.all(callers.map(([caller]) => clientOf(gateway, caller).then(lookup)));
    expect(shared.map((it) => it.includes(sentence))).toEqual(callers.map(([, opens]) => opens));
    const own = await Promise.all(callers.map(([caller]) => clientOf(gateway, caller, { roots: {} }).then(lookup)));
    expect(own.map((it) => it.includes(sentence))).toEqual(callers.map(([, opens]) => opens));
  }, 120_000);
});
