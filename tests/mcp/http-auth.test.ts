import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { runToken, type TokenArgs } from "../../src/cli/commands/serve/token.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { tokenFileCheck } from "../../src/http/auth/token-check.ts";
import { call, hello, type Options, post, request, startHttp } from "./http-server.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "iaip-auth-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(options: Options) {
  const server = await startHttp(options);
  closers.push(server.close);
  return server;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("Tokens from a file", () => {
  let files = 0;

  async function token(path: string, args: TokenArgs): Promise<{ code: number; out: string; err: string }> {
    const stdout = new PassThrough({ encoding: "utf8" });
    const stderr = new PassThrough({ encoding: "utf8" });
    const io = { stdin: new PassThrough(), stdout, stderr, env: {}, cwd: folder, isTerminal: false };
    const code = await runToken(args, { "token-file": path }, io);
    return { code, out: String(stdout.read() ?? "").trim(), err: String(stderr.read() ?? "") };
  }

  const create = (name: string, scopes: readonly string[], protocols: readonly string[] = []): TokenArgs => ({
    action: "create",
    name,
    scopes,
    protocols,
  });

  async function served() {
    const path = join(folder, `tokens-${files++}.json`);
    const secret = (await token(path, create("ada", ["read", "log"], ["circle"]))).out;
    const access = await openAccess({ host: "127.0.0.1", tokenFile: path, log: silentLog });
    return { path, secret, ...(await open({ access })) };
  }

  it("are asked of every request, from this machine too, and probes stay open", async () => {
    const { url, mcp, secret } = await served();
    for (const path of ["/mcp", "/", "/messages?sessionId=x"]) {
      const refused = await post(`${url}${path}`, hello);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="iaip-dsl"']);
    }
    for (const path of ["/sse", "/metrics"]) expect((await fetch(`${url}${path}`)).status).toBe(401);
    for (const path of ["/healthz", "/readyz"]) expect((await fetch(`${url}${path}`)).status).toBe(200);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready" });
    expect((await fetch(`${url}/readyz`, { headers: bearer("iaip_guess") })).status).toBe(401);
    const known = await (await fetch(`${url}/readyz`, { headers: bearer(secret) })).json();
    expect(known).toMatchObject({ status: "ready", broken_files: ["vocabulary.yaml"] });
    expect((await post(mcp, hello, bearer(secret))).status).toBe(200);
    for (const wrong of ["Bearer ", "Bearer x", `Basic ${secret}`, `Bearer ${secret}x`, `Bearer ${secret} ${secret}`]) {
      const refused = await post(mcp, hello, { authorization: wrong });
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining("invalid_token"),
      ]);
    }
  });

  it("carry scopes and protocols, and the name that events are told under", async () => {
    const { path, mcp, secret, ledger } = await served();
    const protocols = await post(mcp, call("protocols"), bearer(secret));
    expect(protocols.json.result.structuredContent).toEqual({ said: "circle" });
    await post(mcp, call("log", { text: "x" }), bearer(secret));
    expect(ledger.kept).toMatchObject([{ agent: "ada" }]);
    const reader = (await token(path, create("reader", ["read"]))).out;
    await expect.poll(async () => (await post(mcp, hello, bearer(reader))).status, { timeout: 3000 }).toBe(200);
    const refused = await post(mcp, call("log", { text: "x" }), bearer(reader));
    expect(refused.json.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('"log"') }] });
  });

  it("are revoked without a restart, and a file that breaks keeps those it had", async () => {
    const { path, mcp, secret } = await served();
    const good = await readFile(path, "utf8");
    await writeFile(path, "{ half");
    await expect.poll(async () => (await post(mcp, hello, bearer(secret))).status, { timeout: 1500 }).toBe(200);
    await writeFile(path, good);
    const { out } = await token(path, { action: "revoke", token: "ada" });
    expect(out).toMatch(/is revoked/);
    await expect.poll(async () => (await post(mcp, hello, bearer(secret))).status, { timeout: 3000 }).toBe(401);
  });

  it("that are revoked lose the streams they opened, and those that stay keep theirs", async () => {
    const { path, url, secret } = await served();
    const other = (await token(path, create("other", ["read"]))).out;
    const known = async () => (await fetch(`${url}/readyz`, { headers: bearer(other) })).status;
    await expect.poll(known, { timeout: 3000 }).toBe(200);
    const [lost, kept] = await Promise.all([secret, other].map((it) => fetch(`${url}/sse`, { headers: bearer(it) })));
    await token(path, { action: "revoke", token: "ada" });
    await expect(lost!.text()).rejects.toThrow();
    const reader = kept!.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
  });

  it("are guessed no faster on a probe than anywhere else", async () => {
    const path = join(folder, `tokens-${files++}.json`);
    await token(path, create("ada", ["read"]));
    const access = await openAccess({ host: "127.0.0.1", tokenFile: path, log: silentLog });
    const { url } = await open({ access, limits: { requestsPerSecond: 2 } });
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => fetch(`${url}/readyz`, { headers: bearer(`iaip_guess${n}`) })),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(4).fill(401), ...Array(8).fill(429)]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it("let nobody in once their file is gone, and expire when they said", async () => {
    const path = join(folder, `tokens-${files++}.json`);
    const { out } = await token(path, {
      ...create("a", ["read"]),
      expires: new Date(Date.now() + 60_000).toISOString(),
    } as TokenArgs);
    let now = Date.now();
    const check = tokenFileCheck(path, silentLog, () => now);
    expect(await check.check(out)).toMatchObject({ kind: "known", caller: { kind: "token", name: "a" } });
    now += 61_000;
    expect(await check.check(out)).toMatchObject({ kind: "refused", reason: expect.stringContaining("expired") });
    now -= 60_000;
    await rm(path);
    expect(await check.check(out)).toBeUndefined();
  });

  it("are stored hashed, for their owner's eyes, and listed without a secret", async () => {
    const path = join(folder, `tokens-${files++}.json`);
    const made = await token(path, create("ada", ["read", "steward"], ["circle"]));
    expect(made.out).toMatch(/^iaip_[A-Za-z0-9_-]{43}$/);
    expect(await readFile(path, "utf8")).not.toContain(made.out);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { out } = await token(path, { action: "list" });
    expect(out).toMatch(/^[0-9a-f]{8} {2}ada {2}read,steward {2}protocols circle {2}since /);
    expect(out).not.toContain(made.out);
  });

  it("refuse what cannot be meant, and leave a file alone that is none of theirs", async () => {
    const path = join(folder, `tokens-${files++}.json`);
    await expect(token(path, create("a", ["write"]))).rejects.toThrow(/no scope.*read, log, steward/);
    await expect(token(path, create(" ", ["read"]))).rejects.toThrow(/name/);
    await expect(token(path, { ...create("a", ["read"]), expires: "soon" } as TokenArgs)).rejects.toThrow(/no date/);
    await expect(token(path, { action: "revoke", token: "x" })).rejects.toThrow(/no token x/);
    await token(path, create("a", ["read"]));
    await expect(token(path, create("a", ["read"]))).rejects.toThrow(/already/);
    await writeFile(path, '{"version":2}');
    await expect(token(path, { action: "list" })).rejects.toThrow(/no token file/);
    expect(await readFile(path, "utf8")).toBe('{"version":2}');
    await expect(openAccess({ host: "127.0.0.1", tokenFile: path, log: silentLog })).rejects.toThrow(/cannot be used/);
  });

  it("hold a session to whoever opened it", async () => {
    const path = join(folder, `tokens-${files++}.json`);
    const ada = (await token(path, create("ada", ["read"]))).out;
    const alan = (await token(path, create("alan", ["read"]))).out;
    const access = await openAccess({ host: "127.0.0.1", tokenFile: path, log: silentLog });
    const { mcp } = await open({ access, sessions: { idleMs: 60_000, max: 10 } });
    const id = (await post(mcp, hello, bearer(ada))).headers.get("mcp-session-id") ?? "";
    expect((await post(mcp, request("ping"), { ...bearer(ada), "mcp-session-id": id })).status).toBe(200);
    expect((await post(mcp, request("ping"), { ...bearer(alan), "mcp-session-id": id })).status).toBe(404);
  });
});

describe("OAuth, as a resource server", async () => {
  const issuer = "https://issuer.example";
  const audience = "https://iaip.example/mcp";
  const keys = await generateKeyPair("ES256", { extractable: true });
  const others = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256" };
  let jwksUri = "";

  beforeAll(async () => {
    const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    return () => server.close();
  });

  interface Claims {
    readonly iss?: string;
    readonly aud?: string;
    readonly exp?: string | number;
    readonly scope?: string;
    readonly key?: CryptoKey;
    readonly typ?: string;
    readonly sub?: string;
    readonly client?: string;
  }

  function jwt({
    iss = issuer,
    aud = audience,
    exp = "5m",
    scope = "read log protocol:circle",
    key = keys.privateKey,
    typ = "at+jwt",
    sub = "agent-7",
    client,
  }: Claims = {}) {
    const names = client === undefined ? { sub } : { sub, client_id: client };
    const token = new SignJWT({ scope, ...names }).setProtectedHeader({ alg: "ES256", kid: "k1", typ });
    return token.setIssuer(iss).setAudience(aud).setExpirationTime(exp).sign(key);
  }

  async function served() {
    const access = await openAccess({ host: "127.0.0.1", oauth: { issuer, audience, jwksUri }, log: silentLog });
    return open({ access });
  }

  it("knows a caller by a token whose signature, issuer, audience and expiry are right", async () => {
    const { mcp, ledger } = await served();
    const token = await jwt();
    const protocols = await post(mcp, call("protocols"), bearer(token));
    expect(protocols.json.result.structuredContent).toEqual({ said: "circle" });
    await post(mcp, call("log", { text: "x" }), bearer(token));
    expect(ledger.kept).toMatchObject([{ agent: "agent-7" }]);
  });

  it.each([
    ["from another issuer", { iss: "https://evil.example" }, /iss is not accepted/],
    ["for another server", { aud: "https://other.example" }, /another server/],
    ["that expired", { exp: Math.floor(Date.now() / 1000) - 60 }, /expired/],
    ["signed by somebody else", { key: others.privateKey }, /signature/],
    ["that tells who logged in and is no access token", { typ: "JWT" }, /not an access token.*at\+jwt/],
    ["that names nobody", { sub: "" }, /names nobody/],
  ])("refuses a token %s", async (_what, claims, reason) => {
    const { mcp } = await served();
    const refused = await post(mcp, hello, bearer(await jwt(claims)));
    expect(refused.status).toBe(401);
    expect(refused.json.error.message).toMatch(reason);
    expect(refused.headers.get("www-authenticate")).toMatch(/error="invalid_token".*resource_metadata="http/);
  });

  it("refuses a token without a signature or with a shared secret", async () => {
    const { mcp } = await served();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const payload = part({ iss: issuer, aud: audience, exp: 9_999_999_999, scope: "read" });
    for (const alg of ["none", "HS256"]) {
      const refused = await post(mcp, hello, bearer(`${part({ alg })}.${payload}.${alg === "none" ? "" : "AAAA"}`));
      expect(refused.status).toBe(401);
    }
  });

  it("says where tokens come from, and which scope is lacking", async () => {
    const { url, mcp } = await served();
    const missing = await post(mcp, hello);
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(missing.headers.get("www-authenticate") ?? "")?.[1] ?? "";
    expect(missing.headers.get("www-authenticate")).not.toContain("error=");
    expect(metadataUrl).toBe("https://iaip.example/.well-known/oauth-protected-resource");
    expect(await (await fetch(`${url}${new URL(metadataUrl).pathname}`)).json()).toMatchObject({
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
    });
    const lacking = await post(mcp, call("log", { text: "x" }), bearer(await jwt({ scope: "read" })));
    expect(lacking.status).toBe(403);
    expect(lacking.headers.get("www-authenticate")).toMatch(/error="insufficient_scope", scope="log"/);
  });

  it("finds the issuer's keys by itself, and says so while it cannot", async () => {
    const server = createServer((asked, response) => {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (asked.url === "/.well-known/openid-configuration")
        response.end(JSON.stringify({ issuer: base, jwks_uri: jwksUri }));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    closers.push(() => server.close());
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const access = await openAccess({ host: "127.0.0.1", oauth: { issuer: own, audience }, log: silentLog });
    const { mcp } = await open({ access });
    expect((await post(mcp, hello, bearer(await jwt({ iss: own })))).status).toBe(200);
    const nowhere = { issuer: "http://127.0.0.1:1", audience };
    const lost = await open({ access: await openAccess({ host: "127.0.0.1", oauth: nowhere, log: silentLog }) });
    const refused = await post(lost.mcp, hello, bearer(await jwt({ iss: nowhere.issuer })));
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringContaining("cannot be fetched")]);
    expect(refused.headers.get("retry-after")).toBe("5");
  });

  it("keeps one user of a client out of another's session, and gives a user's new token the old one's", async () => {
    const access = await openAccess({ host: "127.0.0.1", oauth: { issuer, audience, jwksUri }, log: silentLog });
    const { mcp } = await open({ access, sessions: { idleMs: 60_000, max: 10 } });
    const ada = bearer(await jwt({ sub: "ada", client: "notebook" }));
    const alan = bearer(await jwt({ sub: "alan", client: "notebook" }));
    const id = (await post(mcp, hello, ada)).headers.get("mcp-session-id") ?? "";
    const session = { "mcp-session-id": id };
    expect((await post(mcp, request("ping"), { ...alan, ...session })).status).toBe(404);
    expect((await fetch(mcp, { method: "DELETE", headers: { ...alan, ...session } })).status).toBe(404);
    const renewed = bearer(await jwt({ sub: "ada", client: "notebook", exp: "6m" }));
    expect((await post(mcp, request("ping"), { ...renewed, ...session })).status).toBe(200);
  });

  it("ends the stream of a token when its time is up", async () => {
    const { url } = await served();
    const exp = Math.floor(Date.now() / 1000) - 4;
    const stream = await fetch(`${url}/sse`, { headers: bearer(await jwt({ exp })) });
    expect(stream.status).toBe(200);
    await expect(stream.text()).rejects.toThrow();
  });
});

describe("TLS", () => {
  it("serves with the certificate and key it was given", async () => {
    const read = (name: string) => readFile(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");
    const [cert, key] = await Promise.all([read("cert"), read("key")]);
    const { url } = await open({ tls: { cert, key } });
    expect(url).toMatch(/^https:/);
    const status = await new Promise((resolve, reject) => {
      const asked = httpsRequest(`${url}/healthz`, { ca: cert }, (answer) => resolve(answer.statusCode));
      asked.on("error", reject).end();
    });
    expect(status).toBe(200);
  });
});
