import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Log } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import { openAiModel } from "../../src/kag/solve/open-ai-model.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { solveReturn } from "./contract.ts";
import { kagOver } from "./open-kag.ts";

const tea = snapshotOf({
  "craft/steep.yaml": conceptFile("steep", "relations: [{ type: enables, to: brew, proposed_by: test }]"),
  "craft/brew.yaml": conceptFile("brew"),
  "craft/guarded.yaml": conceptFile(
    "guarded",
    "ocap: { relevance: held, access: restricted, status: not-assessed }\ngovernance: { protocols: [tasters] }",
  ),
  "craft/leaf.yaml": conceptFile(
    "leaf",
    "tier: pointer\nocap: { relevance: held, access: restricted, status: not-assessed }",
  ),
});
const question = "How do steep and brew relate?";

async function solvedWith(written: string | Error, asked = question) {
  const logged: string[] = [];
  const log: Log = (level, message) => void logged.push(`${level}: ${message}`);
  const prompts: string[] = [];
  const model = async ({ prompt }: { readonly prompt: string }) => {
    prompts.push(prompt);
    if (written instanceof Error) throw written;
    return written;
  };
  const told = await kagOver(tea, { model, log }).told("kag_solve", { question: asked });
  return { solved: solveReturn.parse(told), prompts, logged };
}

const extracted = async (asked = question) =>
  solveReturn.parse(await kagOver(tea).told("kag_solve", { question: asked }));

describe("an answer that a model composes", () => {
  test("is told with only the passages it cites", async () => {
    const { solved } = await solvedWith('Steep enables Brew. <reference id="chunk:0_2"></reference>');
    expect(solved.answer).toBe('Steep enables Brew. <reference id="chunk:0_2"></reference>');
    expect(solved.reference[0]?.info.map((it) => it.document_id)).toEqual(["brew"]);
  });

  test.each([
    ["an id that was not given", 'Both. <reference id="chunk:0_9"></reference><reference id="chunk:0_1"></reference>'],
    ["a tag closed in itself", 'Both. <reference id="chunk:0_1"/>'],
    ["a tag in other quotes", "Both. <reference id='chunk:0_1'></reference>"],
    ["a tag that stays open", 'Both. <reference id="chunk:0_1">'],
    ["a tag without an id", 'Both. <reference></reference><reference id="chunk:0_1"></reference>'],
  ])("has its tags put right: %s", async (_what, written) => {
    const { solved } = await solvedWith(written);
    expect(solved.answer).toBe('Both. <reference id="chunk:0_1"></reference>');
    expect(solved.reference[0]?.info.map((it) => it.id)).toEqual(["chunk:0_1"]);
  });

  test.each([
    ["cites nothing", "Steep enables Brew."],
    ["cites only what was not given", 'Steep. <reference id="chunk:0_7"></reference>'],
    ["is empty", ""],
    ["goes on and on", `${"word ".repeat(2_000)}<reference id="chunk:0_1"></reference>`],
    ["fails", new Error("the model's endpoint answered 500")],
  ])("is not taken when it %s; the extracted one is told", async (_what, written) => {
    const { solved } = await solvedWith(written);
    expect({ ...solved, cost_ms: 0 }).toEqual({ ...(await extracted()), cost_ms: 0 });
  });

  test("rests on the passages and the question, and on nothing else", async () => {
    const { prompts } = await solvedWith('Both. <reference id="chunk:0_1"></reference>');
    expect(prompts[0]).toContain(question);
    expect(prompts[0]).toContain("[chunk:0_1] Steep:");
    expect(prompts[0]).not.toContain("Leaf");
  });

  test("is never asked for about what only its holders tell", async () => {
    const { solved, prompts } = await solvedWith(
      'All about it. <reference id="chunk:0_1"></reference>',
      "What is leaf?",
    );
    expect(prompts).toEqual([]);
    expect({ ...solved, cost_ms: 0 }).toEqual({ ...(await extracted("What is leaf?")), cost_ms: 0 });
  });

  test("is never asked for about what only some may be told, even for those who may", async () => {
    let asked = 0;
    const kag = kagOver(
      tea,
      {
        model: async () => {
          asked++;
          return 'All of it. <reference id="chunk:0_1"></reference>';
        },
      },
      localCaller(["tasters"]),
    );
    expect((await kag.told("kag_solve", { question: "What is guarded?" })).answer).toContain("What cooks call guarded");
    expect(asked).toBe(0);
  });

  test("is not asked for when nothing was found", async () => {
    const { solved, prompts } = await solvedWith("Paris.", "What is the capital of France?");
    expect(prompts).toEqual([]);
    expect(solved.answer).toMatch(/^Nothing found/);
  });

  test("may come from the client's own model", async () => {
    const written = 'Sampled. <reference id="chunk:0_1"></reference>';
    const told = await kagOver(tea).told("kag_solve", { question }, { sample: async () => written });
    expect(told.answer).toBe(written);
  });

  test("leaves it to the binding when the client must be asked in another round", async () => {
    const needed = Object.assign(new Error("asked first"), { name: "InputNeeded" });
    await expect(kagOver(tea).call("kag_solve", { question }, { sample: () => Promise.reject(needed) })).rejects.toBe(
      needed,
    );
  });
});

describe("an OpenAI-compatible endpoint", () => {
  let answer: { readonly status: number; readonly body: string };
  let seen: { readonly headers: IncomingMessage["headers"]; readonly path: string; readonly body: unknown }[];
  let server: ReturnType<typeof createServer>;
  let root: string;

  beforeEach(async () => {
    seen = [];
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      seen.push({
        headers: request.headers,
        path: request.url ?? "",
        body: JSON.parse(Buffer.concat(parts).toString()),
      });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const request = { system: "be brief", prompt: "hello", maxTokens: 7 };
  const signal = new AbortController().signal;

  test("is asked with the key, the model and both messages, and its text is taken", async () => {
    answer = { status: 200, body: JSON.stringify({ choices: [{ message: { role: "assistant", content: "hi" } }] }) };
    expect(await openAiModel({ url: `${root}/`, model: "m", key: "k-1" })(request, signal)).toBe("hi");
    expect(seen[0]?.path).toBe("/v1/chat/completions");
    expect(seen[0]?.headers.authorization).toBe("Bearer k-1");
    expect(seen[0]?.body).toMatchObject({
      model: "m",
      max_tokens: 7,
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "hello" },
      ],
    });
  });

  test.each([
    ["refuses", 401, '{"error": "bad key k-1"}'],
    ["answers in another form", 200, '{"text": "hi"}'],
    ["answers no JSON", 200, "hi"],
  ])("that %s fails without telling the key", async (_what, status, body) => {
    answer = { status, body };
    const failed = openAiModel({ url: root, model: "m", key: "k-1" })(request, signal);
    await expect(failed).rejects.toThrow(/the model's endpoint/);
    await expect(failed).rejects.not.toThrow(/k-1/);
  });
});
