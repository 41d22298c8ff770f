import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Installed, install, launch, saidOnStderr } from "./launch.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await install();
});
afterAll(() => installed.remove());

const key = "key-of-the-host";

function post(url: string, body: object, bearer = key): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
}

test("the host serves HTTP from its environment, reports what it solved, and ends when told to", async () => {
  const reports: { readonly path: string; readonly key: unknown; readonly body: Record<string, unknown> }[] = [];
  let reported = (): void => {};
  const delivered = new Promise<void>((resolve) => {
    reported = resolve;
  });
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    reports.push({ path: request.url ?? "", key: request.headers["x-kag-bridge-key"], body });
    response.end("{}");
    reported();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const api = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const env = {
    KAG_BRIDGE_TRANSPORT: "http",
    KAG_BRIDGE_HTTP_PORT: "0",
    KAG_BRIDGE_API_KEY: key,
    KAGWEB_API_URL: api,
    KAG_SESSION_ID: "s9",
  };
  const launched = launch(process.execPath, [installed.entry, "kag"], { env });
  const url = await saidOnStderr(launched, /served at (http:\S+)/);

  const { token } = (await (await post(url.replace(/\/mcp$/, "/tokens"), { session_id: "s9" })).json()) as {
    token: string;
  };
  const asked = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "kag_solve", arguments: { question: "What is respect?" } },
  };
  expect(await (await post(url, asked, token)).json()).toMatchObject({ result: { isError: false } });
  await delivered;
  expect(reports[0]).toMatchObject({
    path: "/api/kag/bridge/tasks",
    key,
    body: {
      session_id: "s9",
      project_id: "iaip",
      namespace: "IAIP",
      question: "What is respect?",
      references: [{ type: "chunk" }],
    },
  });

  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(0);
  expect(launched.stdout()).toBe("");
  expect(launched.stderr()).not.toContain(key);
  receiver.close();
});

test("listening on every interface is said, and a port that is taken is one line", async () => {
  const env = { KAG_BRIDGE_API_KEY: key };
  const first = launch(
    process.execPath,
    [installed.entry, "kag", "--transport", "http", "--host", "0.0.0.0", "--port", "0"],
    { env },
  );
  const url = await saidOnStderr(first, /served at (http:\S+)/);
  expect(first.stderr()).toContain("listening on every interface");
  const second = launch(
    process.execPath,
    [installed.entry, "kag", "--transport", "http", "--host", "0.0.0.0", "--port", new URL(url).port],
    { env },
  );
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toMatch(/Port \d+ on 0\.0\.0\.0 is taken/);
  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);
});
