import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { kagSurfaceOf } from "../../src/kag/kag-surface.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import { serveMcpStdio } from "../../src/mcp/stdio.ts";
import { type Message, modernMeta, StdioPeer } from "../mcp/stdio-peer.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";

const tea = snapshotOf({ "craft/brew.yaml": conceptFile("brew") });
const written = 'The model says so. <reference id="chunk:0_1"></reference>';
const sampled = { role: "assistant", model: "m", content: { type: "text", text: written } };
const question = { name: "kag_solve", arguments: { question: "What is brew?" } };

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const source = { snapshot: tea, ready: Promise.resolve(), onDidChange: () => () => {} };
  const surface = kagSurfaceOf(source, { log: silentLog, version: "0.0.0" });
  const served = serveMcpStdio({
    surface,
    source,
    ledger: noLedger(),
    log: silentLog,
    caller: localCaller(),
    streams: { input, output },
  });
  return { peer: new StdioPeer(input, output), output, closed: served.closed };
}

function answerOf({ result }: Message): string {
  const [block] = (result?.content ?? []) as readonly { readonly text: string }[];
  return (JSON.parse(block?.text ?? "{}") as { answer: string }).answer;
}

test("a client of the 2025 revisions that offers sampling has its model compose the answer", async () => {
  const { peer, output, closed } = open();
  const asked: Message[] = [];
  output.on("data", (chunk: string) => {
    for (const line of chunk.split("\n").filter(Boolean)) {
      const message = JSON.parse(line) as Message;
      if (message.method !== "sampling/createMessage") continue;
      asked.push(message);
      peer.raw(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: sampled })}\n`);
    }
  });
  await peer.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: { sampling: {} },
    clientInfo: { name: "peer", version: "1" },
  });
  peer.tell("notifications/initialized");
  expect(answerOf(await peer.ask("tools/call", question))).toBe(written);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.params?.systemPrompt).toMatch(/from the passages you are given, and from nothing else/);
  peer.end();
  await closed;
});

test("a client of the 2026 revision is asked in a round of its own", async () => {
  const { peer, closed } = open();
  const meta = { _meta: modernMeta({ "io.modelcontextprotocol/clientCapabilities": { sampling: {} } }) };
  const first = await peer.ask("tools/call", { ...question, ...meta });
  expect(first.result).toMatchObject({ resultType: "input_required" });
  const [name = ""] = Object.keys(first.result?.inputRequests as object);
  const second = await peer.ask("tools/call", {
    ...question,
    ...meta,
    requestState: first.result?.requestState,
    inputResponses: { [name]: sampled },
  });
  expect(answerOf(second)).toBe(written);
  peer.end();
  await closed;
});

test("a client that offers none is told the extracted answer", async () => {
  const { peer, closed } = open();
  await peer.initialize();
  expect(answerOf(await peer.ask("tools/call", question))).toContain("What cooks call brew");
  peer.end();
  await closed;
});
