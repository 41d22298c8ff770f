import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import type { SnapshotSource } from "../../src/core/ports.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { makeToken, printTokenFile } from "../../src/http/auth/token-file.ts";
import { serveMcpHttp } from "../../src/mcp/http/serve.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { call, hello, modern, post, request } from "./http-server.ts";
import { arrayLedger } from "./small-surface.ts";

const secret = "xylophone";

/** A restricted concept whose every part says the secret word, in a made-up vocabulary. */
const restricted = `ocap: { relevance: some, ownership: ${secret}, access: restricted, status: not-assessed }
governance: { care: [${secret} care], protocols: [tasters], agent_may: [], agent_may_not: [${secret}] }
usage_contexts: [${secret} evenings]
examples: [play the ${secret}]
`;

describe("Callers with different rights at one door", () => {
  let folder = "";
  let mcp = "";
  let close: () => Promise<void>;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    const snapshot = snapshotOf({
      "craft/steep.yaml": conceptFile("steep"),
      "craft/night.yaml": conceptFile("night-pour", restricted, { definition: `The ${secret} words of the tasters.` }),
    });
    const source: SnapshotSource = { snapshot, ready: Promise.resolve(), onDidChange: () => () => undefined };
    folder = await mkdtemp(join(tmpdir(), "iaip-rights-"));
    const made = [
      ["reader", []],
      ["taster", ["tasters"]],
    ] as const;
    const stored = made.map(([name, protocols]) => {
      const token = makeToken({ name, scopes: ["read"], protocols: [...protocols] }, new Date());
      tokens[name] = token.secret;
      return token.stored;
    });
    const tokenFile = join(folder, "tokens.json");
    await writeFile(tokenFile, printTokenFile(stored));
    const surface = surfaceFor(snapshot, "1.0.0");
    const server = await serveMcpHttp({
      surface: () => surface,
      source,
      ledger: arrayLedger(),
      log: silentLog,
      host: "127.0.0.1",
      port: 0,
      access: await openAccess({ host: "127.0.0.1", tokenFile, log: silentLog }),
      sessions: { idleMs: 60_000, max: 10 },
      limits: { requestsPerSecond: 10_000 },
    });
    mcp = `${server.url}/mcp`;
    close = server.close;
  });
  afterAll(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  const bearer = (name: string) => ({ authorization: `Bearer ${tokens[name]}` });

  async function session(name: string) {
    const id = (await post(mcp, hello, bearer(name))).headers.get("mcp-session-id") ?? "";
    return { ...bearer(name), "mcp-session-id": id };
  }

  it("hear what each may, at the same time, in either era", async () => {
    const lookup = { concept: "night-pour", depth: "full" };
    const asked = modern("tools/call", { name: "iaip_concept_lookup", arguments: lookup });
    const [reader, taster] = [await session("reader"), await session("taster")];
    const ask = async (index: number): Promise<void> => {
      const isTaster = index % 2 === 0;
      const headers = isTaster ? taster : reader;
      const answer =
        index % 3 === 0
          ? await post(mcp, asked.body, { ...asked.headers, ...bearer(isTaster ? "taster" : "reader") })
          : await post(mcp, call("iaip_concept_lookup", lookup, index), headers);
      expect(answer.text.includes(secret)).toBe(isTaster);
    };
    await Promise.all(Array.from({ length: 120 }, (_, index) => ask(index)));
  });

  it("without the right find the secret nowhere, whatever they ask", async () => {
    const headers = await session("reader");
    const prompts = ["iaip_framework_grounding", "iaip_ceremony_check"];
    const messages = [
      ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].map((method) => request(method)),
      ...[
        "iaip://concepts/registry",
        "iaip://concepts/graph",
        "iaip://concepts/night-pour",
        "iaip://wisdom/ledger",
      ].map((uri) => request("resources/read", { uri })),
      ...[
        call("iaip_concept_lookup", { concept: "night-pour", depth: "relational" }),
        call("iaip_concept_search", { query: "tasters night" }),
        call("iaip_concept_search", {}),
        call("iaip_concept_suggest", { context: "pour at night with the tasters" }),
        call("iaip_concept_context", { concept: "night-pour", hops: 3 }),
        call("iaip_direction_concepts", { direction: "first" }),
        call("iaip_validate_terminology", { text: "We night-pour in the evenings.", strictness: "strict" }),
      ],
      ...prompts.map((name) =>
        request("prompts/get", {
          name,
          arguments: { task_description: "pour at night", proposed_action: "pour at night" },
        }),
      ),
      request("completion/complete", {
        ref: { type: "ref/prompt", name: prompts[0] },
        argument: { name: "task_description", value: "pour at xyl" },
      }),
    ];
    for (const message of messages) {
      const { status, text } = await post(mcp, message, headers);
      expect(status).toBe(200);
      expect(text, JSON.stringify(message)).not.toContain(secret);
    }
  });
});
