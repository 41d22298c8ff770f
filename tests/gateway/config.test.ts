import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "../../src/gateway/config/config.ts";
import { serverSecrets } from "../../src/gateway/config/secrets.ts";

const file = "mcp-servers.yaml";
const read = (text: string) => parseConfig(text, file);
const server = (more: object = {}) => ({ name: "a", url: "http://a.svc:8080", toolsPrefix: "a", ...more });
const refusal = (servers: unknown, top: object = {}) => {
  try {
    read(JSON.stringify({ servers, ...top }));
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("it was accepted");
};

describe("the file of Sympozium's bridge", () => {
  it("is accepted as its controller writes it", () => {
    const { servers, concepts } = read(`servers:
  - name: iaip
    url: http://iaip-concepts.sympozium-system.svc:8080
    toolsPrefix: iaip
    timeout: 30
    auth:
      type: bearer
      secretKey: MCP_AUTH_IAIP
    headers:
      X-Team: knowledge
    toolsAllow:
      - iaip_concept_lookup
    toolsDeny: []
  - name: k8s-net
    url: https://k8s.example/mcp
    toolsPrefix: k8s_net
    transport: streamable-http
    timeout: 0
    auth: {type: header, secretKey: K8S_KEY, headerName: X-API-Key}
    toolsAllow:
    toolsDeny: null
`);
    expect(concepts).toBe(false);
    expect(servers[0]).toMatchObject({
      name: "iaip",
      url: "http://iaip-concepts.sympozium-system.svc:8080",
      toolsPrefix: "iaip",
      timeout: 30,
      auth: { type: "bearer", secretKey: "MCP_AUTH_IAIP" },
      headers: { "X-Team": "knowledge" },
      toolsAllow: ["iaip_concept_lookup"],
      toolsDeny: [],
    });
    expect(servers[1]).toMatchObject({ name: "k8s-net", auth: { type: "header", headerName: "X-API-Key" } });
    expect(servers[1]?.timeout).toBeUndefined();
    expect(servers[1]?.toolsAllow).toBeUndefined();
  });

  it.each(["", "servers:\n", "servers: []\n", "{}"])("may name no server: %j", (text) => {
    expect(read(text).servers).toEqual([]);
  });

  it("takes managed servers beside external ones", () => {
    const { servers } = read(`servers:
  - {name: files, toolsPrefix: fs, command: npx, args: [-y, "server, with commas"], env: {LEVEL: 3}, envFrom: [TOKEN]}
`);
    expect(servers[0]).toMatchObject({
      command: "npx",
      args: ["-y", "server, with commas"],
      env: { LEVEL: "3" },
      envFrom: ["TOKEN"],
    });
  });

  it.each([
    ["a missing name", [server({ name: undefined })], "servers[0]: name: "],
    ["an empty name", [server({ name: "" })], "servers[0]: name: "],
    ["no address", [server({ url: undefined })], '"a" needs either a url (external) or a command (managed)'],
    ["two addresses", [server({ command: "x" })], '"a" needs either a url (external) or a command (managed)'],
    ["a missing prefix", [server({ toolsPrefix: undefined })], 'servers[0] "a": toolsPrefix: '],
    ["an empty prefix", [server({ toolsPrefix: "" })], 'servers[0] "a": toolsPrefix: '],
    ["a prefix that no name can begin with", [server({ toolsPrefix: "a.b" })], "use letters, digits, _ and - only"],
    ["a relative url", [server({ url: "/mcp" })], 'servers[0] "a": url: it must be an absolute http or https URL'],
    ["a url without host", [server({ url: "http://" })], "it must be an absolute http or https URL"],
    ["a password in the url", [server({ url: "http://user:pass@a/mcp" })], "it holds a user or password"],
    ["another scheme", [server({ url: "ftp://a" })], "it must be an absolute http or https URL"],
    ["a name twice", [server(), server({ toolsPrefix: "b" })], 'two servers are named "a"'],
    ["a prefix twice", [server(), server({ name: "b" })], '"a" and "b" have the same toolsPrefix a'],
    ["another transport", [server({ transport: "websocket" })], 'servers[0] "a": transport: '],
    ["another kind of auth", [server({ auth: { type: "basic", secretKey: "X" } })], 'servers[0] "a": auth.type: '],
    ["auth without a variable", [server({ auth: { type: "bearer" } })], 'servers[0] "a": auth.secretKey: '],
    [
      "header auth without the header",
      [server({ auth: { type: "header", secretKey: "X" } })],
      "auth.headerName is required",
    ],
    ["a list that is none", [server({ toolsDeny: "wipe" })], 'servers[0] "a": toolsDeny: '],
    ["a key that does not exist", [server({ toolDeny: ["wipe"] })], "toolDeny"],
    [
      "auth for a started server",
      [{ name: "a", toolsPrefix: "a", command: "x", auth: { type: "bearer", secretKey: "X" } }],
      "give it secrets with envFrom",
    ],
  ])("is refused for %s", (_, servers, message) => {
    expect(refusal(servers)).toContain(`${file}: `);
    expect(refusal(servers)).toContain(message);
  });

  it("is refused for broken YAML, in one line", () => {
    expect(() => read("servers: [")).toThrow(ConfigError);
    expect(() => read("servers: [")).toThrow(/^mcp-servers\.yaml:1:\d+: [^\n]+$/);
  });
});

describe("prefixes", () => {
  it.each([
    ["gh", "gh_ent"],
    ["a_b", "a"],
    ["a", "a_b_c"],
  ])("%s and %s could be taken for each other, and are refused with both names", (first, second) => {
    const message = refusal([
      server({ name: "one", toolsPrefix: first }),
      server({ name: "two", toolsPrefix: second }),
    ]);
    expect(message).toContain('the prefixes of "one" and "two" are ambiguous');
  });

  it.each([
    ["gh", "ghe"],
    ["a_b", "a_c"],
    ["a-b", "a"],
  ])("%s and %s never meet", (first, second) => {
    const servers = [server({ name: "one", toolsPrefix: first }), server({ name: "two", toolsPrefix: second })];
    expect(read(JSON.stringify({ servers })).servers).toHaveLength(2);
  });

  it.each(["iaip", "iaip_x"])("%s cannot be taken beside the mounted concept server", (toolsPrefix) => {
    expect(refusal([server({ toolsPrefix })], { concepts: true })).toContain(
      "would take names iaip_* of the mounted concept server",
    );
    expect(read(JSON.stringify({ servers: [server({ toolsPrefix })] })).servers).toHaveLength(1);
  });
});

describe("references over servers", () => {
  const resolved = (own: object, reference: object) => {
    const top = { servers: [server(own)], mcpServers: [{ name: "a", ...reference }] };
    return read(JSON.stringify(top)).servers[0];
  };

  it.each([
    ["inherits what it does not set", { toolsAllow: ["a", "b", "c"] }, {}, ["a", "b", "c"]],
    ["replaces a list whole", { toolsAllow: ["a", "b", "c"] }, { toolsAllow: ["a", "b"] }, ["a", "b"]],
    ["sets what the server does not", {}, { toolsAllow: ["a", "b"] }, ["a", "b"]],
    ["leaves out what neither sets", {}, {}, undefined],
    ["inherits where its own list is empty", { toolsAllow: ["a"] }, { toolsAllow: [] }, ["a"]],
  ])("a reference %s", (_, own, reference, toolsAllow) => {
    expect(resolved(own, reference)?.toolsAllow).toEqual(toolsAllow);
    const renamed = (one: Record<string, unknown>) => ("toolsAllow" in one ? { toolsDeny: one.toolsAllow } : one);
    expect(resolved(renamed(own), renamed(reference))?.toolsDeny).toEqual(toolsAllow);
  });

  it.each([
    [{ timeout: 10 }, {}, 10],
    [{ timeout: 10 }, { timeout: 20 }, 20],
    [{}, { timeout: 20 }, 20],
    [{}, {}, undefined],
  ])("a timeout of %j under %j is %j", (own, reference, timeout) => {
    expect(resolved(own, reference)?.timeout).toBe(timeout);
  });

  it("takes prefix, address and auth of its own", () => {
    const auth = { type: "bearer" as const, secretKey: "X" };
    expect(resolved({ headers: { h: "1" } }, { toolsPrefix: "mine", url: "https://other", auth })).toMatchObject({
      toolsPrefix: "mine",
      url: "https://other",
      auth,
      headers: { h: "1" },
    });
  });

  it("can stand alone with an address", () => {
    const top = { servers: [], mcpServers: [{ name: "alone", url: "http://x", toolsPrefix: "x" }] };
    expect(read(JSON.stringify(top)).servers[0]).toMatchObject({ name: "alone", url: "http://x", toolsPrefix: "x" });
  });

  it("uses only the servers that are named, and refuses a name that is nowhere", () => {
    const servers = [server(), server({ name: "b", toolsPrefix: "b" })];
    expect(read(JSON.stringify({ servers, mcpServers: [{ name: "b" }] })).servers.map((one) => one.name)).toEqual([
      "b",
    ]);
    expect(refusal(servers, { mcpServers: [{ name: "c" }] })).toContain(
      'mcpServers names "c", which is not under servers (there: a, b)',
    );
  });
});

describe("secrets", () => {
  const config = (more: object) => read(JSON.stringify({ servers: [server(more)] })).servers[0]!;
  const bearer = { auth: { type: "bearer", secretKey: "MCP_AUTH_A" } };

  it("come from the environment as a bearer token or a header", () => {
    expect(serverSecrets(config(bearer), { MCP_AUTH_A: "s3cret!" })).toEqual({
      headers: { Authorization: "Bearer s3cret!" },
      env: {},
      secrets: ["s3cret!"],
      values: ["s3cret!"],
    });
    const header = { auth: { type: "header", secretKey: "K", headerName: "X-Key" }, headers: { "X-Team": "t" } };
    expect(serverSecrets(config(header), { K: "key" }).headers).toEqual({ "X-Team": "t", "X-Key": "key" });
  });

  it.each([{}, { MCP_AUTH_A: "" }, { MCP_AUTH_A: "  " }])(
    "are refused when the variable is missing or empty: %j",
    (environment) => {
      expect(() => serverSecrets(config(bearer), environment)).toThrow(
        '"a": the environment variable MCP_AUTH_A (auth.secretKey) is empty',
      );
    },
  );

  it("are handed to a started server by name, and refused when empty", () => {
    const managed = config({ url: undefined, command: "x", env: { A: "1" }, envFrom: ["TOKEN"] });
    expect(serverSecrets(managed, { TOKEN: "t0ken" }).env).toEqual({ A: "1", TOKEN: "t0ken" });
    expect(() => serverSecrets(managed, {})).toThrow("the environment variable TOKEN (envFrom) is empty");
  });
});
