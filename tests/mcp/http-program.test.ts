import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, post } from "./http-server.ts";
import { program, type Served, serveHttp } from "./served.ts";

describe("The program over HTTP", () => {
  let folder = "";
  let ledger = "";
  let server: Served;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "iaip-program-"));
    ledger = join(folder, "ledger.db");
    server = await serveHttp(ledger);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    return { ...((await answer.json()) as { waits: string[] }), status: answer.status };
  };

  it("is not ready while its ledger cannot be written, and answers all the same", async () => {
    const event = call("iaip_wisdom_ledger_log", { concept: "etuaptmumk", agent_id: "probe", context: "before" });
    expect((await post(server.mcp, event)).json.result.isError).toBeUndefined();
    await expect.poll(ready, { timeout: 5000 }).toMatchObject({ status: 200, waits: [] });
    await rename(ledger, `${ledger}.away`);
    await mkdir(ledger);
    await expect.poll(async () => (await ready()).status, { timeout: 5000 }).toBe(503);
    expect((await ready()).waits).toEqual([expect.stringMatching(/^the ledger cannot be written: /)]);
    const lookup = await post(server.mcp, call("iaip_concept_lookup", { concept: "etuaptmumk" }));
    expect(lookup.json.result.isError).toBeUndefined();
    expect((await post(server.mcp, event)).json.result).toMatchObject({ isError: true });
    await rmdir(ledger);
    await rename(`${ledger}.away`, ledger);
    await expect.poll(async () => (await ready()).status, { timeout: 5000 }).toBe(200);
  }, 30_000);

  it("is ready without a ledger where none was wanted", async () => {
    const alone = await serveHttp("none");
    expect((await fetch(`${alone.url}/readyz`)).status).toBe(200);
    expect(await alone.stop()).toBe(0);
  });

  it.each([
    [["--mcp", "http:0.0.0.0:0"], /who may come in/],
    [["--mcp", "http:127.0.0.1:0", "--token-file", "/nowhere/tokens.json"], /tokens\.json/],
    [["--mcp", "http:127.0.0.1:0", "--tls-cert", "/nowhere/cert.pem"], /--tls-key/],
    [["--mcp", "http:127.0.0.1:0", "--tools", "iaip_nothing"], /iaip_nothing/],
  ])("refuses to start with %j, in one line", async (args, reason) => {
    const child = spawn(process.execPath, [await program(), "serve", "--ledger", "none", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect([out, code]).toEqual(["", 2]);
    expect(err).toMatch(reason);
    expect(err.trim().split("\n")).toHaveLength(1);
  });
});
