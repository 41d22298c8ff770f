import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { childEnvironment, conceptEnvironment } from "../../src/gateway/config/environment.ts";
import { redactJson, redactor } from "../../src/gateway/config/redact.ts";
import { closeGateways, openGateway, stubServer } from "./harness.ts";
import { until } from "./processes.ts";

const runs = process.env.IAIP_LONG === "1" ? 5_000 : 300;
afterEach(closeGateways);

/** Characters that JSON and addresses escape, so that the secret has several forms. */
const secret = 'p"a\\ss/wörd é+1';

describe("a secret of an upstream", () => {
  const spilling = (more: object = {}) => stubServer("s", { STUB_LOG: "" }, { envFrom: ["STUB_SPILL"], ...more });
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];

  it("comes out in no result, error, notification, resource, status, log or audit line", async () => {
    const opened = openGateway([spilling()], { environment: { STUB_SPILL: secret }, auditArguments: true });
    const client = await opened.client({}, true);
    await client.toolNames();
    const token = { _meta: { progressToken: "t" } };
    const shown: unknown[] = [
      await client.ask("tools/call", { name: "s_spill", arguments: {}, ...token }),
      await client.ask("tools/call", { name: "s_spill", arguments: { fail: true, given: secret } }),
      await client.ask("tools/call", { name: "s_env" }),
      await client.ask("resources/read", { uri: "stub://item/1" }),
      await client.ask("resources/read", { uri: "iaip-gateway://status" }),
      await client.ask("tools/call", { name: "s_die" }),
    ];
    await until(() => client.toldOf("notifications/message").length >= 2);
    const text = JSON.stringify([shown, client.told, opened.logged, opened.audited, opened.gateway.status()]);
    expect(text).toContain("[secret]");
    expect(text).toContain("text [secret]");
    for (const form of forms) expect(text.includes(JSON.stringify(form).slice(1, -1))).toBe(false);
    expect(text).not.toContain(secret.slice(0, 8));
  });

  it.each([
    ["at the cut of a long line", (it: string) => `${"x".repeat(290)}${it}${"y".repeat(400)}\n`],
    ["in the last line without a line break", (it: string) => it],
    ["in a line that is too long to be read", (it: string) => `${"x".repeat(505)}${it}${"y".repeat(100_000)}\n`],
    ["between two writes", (it: string) => `a\n${it}\nb`],
  ])("shows not even in part %s of stderr, however the server ends", async (_, line) => {
    const STUB_STDERR_JSON = JSON.stringify(line("sssecret-0123456789"));
    const env = { STUB_STDERR_JSON, STUB_DIE_UNLESS: "/no/such/file" };
    const server = stubServer("s", env, { envFrom: ["TOKEN"] });
    const opened = openGateway([server], { environment: { TOKEN: "sssecret-0123456789" } });
    const client = await opened.client();
    const answer = await client.ask("tools/call", { name: "s_echo" });
    await until(() => opened.gateway.status()[0]?.error?.includes("ended with"));
    const shown = JSON.stringify([answer, opened.logged, opened.gateway.status(), await client.ask("tools/list")]);
    expect(shown).toContain("exit code 3");
    expect(shown).not.toContain("sssecret");
    expect(shown).not.toContain("0123456789");
  });

  it.each([
    [{ env: { API_TOKEN: "a-secret-value" } }],
    [{ env: { DATABASE: "postgres://me:a-secret-value@db/x" } }],
    [{ args: ["--token", "a-secret-value"] }],
    [{ args: ["--api-key=a-secret-value"] }],
  ])("is known as one in %j", async ({ env = {}, args = [] }: { env?: object; args?: string[] }) => {
    const base = stubServer("s", { STUB_SPILL: "the word a-secret-value", ...env }) as { args: string[] };
    const client = await openGateway([{ ...base, args: [...base.args, ...args] }]).client();
    expect(await client.text("s_spill")).not.toContain("a-secret-value");
  });

  it("is no ordinary word: what the configuration says openly stays in results", async () => {
    const client = await openGateway([stubServer("s", { LEVEL: "production" })]).client();
    expect(await client.text("s_echo", { text: "production" })).toBe("production");
  });
});

describe("redaction", () => {
  it("leaves what holds no secret as the very same object", () => {
    const redact = redactor(["sesame-open"]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!JSON.stringify(value).includes("sesame-open"));
        expect(redactJson(value, redact)).toBe(value);
      }),
      { numRuns: runs },
    );
  });

  it("leaves no secret in any text or key, wherever it stands", () => {
    const shape = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, fc.constant("@"), fc.string(), fc.integer(), tie("list"), tie("record")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      record: fc.dictionary(fc.oneof(fc.constant("k@"), fc.string()), tie("value"), { maxKeys: 3 }),
    })).value;
    fc.assert(
      fc.property(shape, fc.string({ minLength: 6 }), (value, hidden) => {
        fc.pre(hidden.trim().length >= 6 && !"[secret]".includes(hidden.trim()) && !/[\ud800-\udfff]/u.test(hidden));
        const filled: unknown = JSON.parse(
          JSON.stringify(value).replaceAll("@", () => JSON.stringify(hidden).slice(1, -1)),
        );
        expect(textsOf(redactJson(filled, redactor([hidden]))).filter((it) => it.includes(hidden))).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  it("refuses an answer that is nested too deep to be written again, by its id, and the next call goes through", async () => {
    const client = await openGateway([stubServer("s", { STUB_NAMES: "deep" })]).client();
    const answer = await client.ask("tools/call", { name: "s_deep" });
    expect(answer?.error?.message).toContain("nested more than 500 deep");
    expect(await client.text("s_echo", { text: "x" })).toBe("x");
  });
});

describe("the environment of a started server", () => {
  it("holds no token of the package manager, of a registry or of this program", () => {
    const own = Object.fromEntries(
      [
        ...["NPM_TOKEN", "NODE_AUTH_TOKEN", "NODE_OPTIONS", "npm_config__auth", "NPM_CONFIG__AUTHTOKEN"],
        ...["NPM_CONFIG_REGISTRY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "LC_SECRET", "SSL_CERT_KEY", "PGPASSWORD"],
        ...["IAIP_DSL_GRANT", "IAIP_DSL_TOKEN_FILE", "HTTP_PROXY"],
      ].map((name) => [name, "x"]),
    );
    expect(childEnvironment({ ...own, PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });

  it("of the mounted concept server holds its settings, and no right or token", () => {
    const own = { IAIP_DSL_CONCEPTS: "/c", IAIP_DSL_GRANT: "tasters", IAIP_DSL_LLM_KEY: "k", IAIP_DSL_TOKEN_FILE: "t" };
    expect(conceptEnvironment(own)).toEqual({ IAIP_DSL_CONCEPTS: "/c" });
  });
});

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) => [key, ...textsOf(it)]);
}
