import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { makeToken, printTokenFile } from "../../src/http/auth/token-file.ts";
import { program } from "../mcp/served.ts";
import { BridgeClientPeer, StdioAdapterPeer } from "./sympozium-peers.ts";

const folder = fileURLToPath(new URL("../../src/plugins/sympozium/", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "manifests-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

const text = z.string().min(1);
const meta = z.strictObject({ name: z.string().regex(/^[a-z0-9-]{1,63}$/), namespace: text.optional() });
const quantities = z.strictObject({ cpu: text.optional(), memory: text.optional() });
const volume = z.strictObject({
  name: text.refine((name) => name !== "adapter-bin", "the name is Sympozium's own"),
  secret: z.strictObject({ secretName: text }).optional(),
  configMap: z
    .strictObject({ name: text, items: z.array(z.strictObject({ key: text, path: text })).optional() })
    .optional(),
});
const tools = z.array(text);

/** The fields of Sympozium's types; anything else fails. */
const deployment = z.strictObject({
  image: text,
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  cmd: text.optional(),
  args: z.array(z.string()).optional(),
  port: z.int().positive().optional(),
  env: z.record(text, z.string()).optional(),
  secretRefs: z.array(z.strictObject({ name: text })).optional(),
  resources: z.strictObject({ requests: quantities.optional(), limits: quantities.optional() }).optional(),
  serviceAccountName: text.optional(),
  volumes: z.array(volume).optional(),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text, readOnly: z.boolean().optional() })).optional(),
});
const mcpServer = z.strictObject({
  apiVersion: z.literal("sympozium.ai/v1alpha1"),
  kind: z.literal("MCPServer"),
  metadata: meta,
  spec: z.strictObject({
    transportType: z.enum(["stdio", "http"]),
    url: z.url().optional(),
    deployment: deployment.optional(),
    toolsPrefix: text,
    timeout: z.int().positive().optional(),
    replicas: z.int().min(0).optional(),
    suspended: z.boolean().optional(),
    toolsAllow: tools.optional(),
    toolsDeny: tools.optional(),
  }),
});
const reference = z.strictObject({
  name: text,
  url: z.url().optional(),
  toolsPrefix: text,
  timeout: z.int().positive().optional(),
  authSecret: text.optional(),
  authKey: text.optional(),
  headers: z.record(text, z.string()).optional(),
  toolsAllow: tools.optional(),
  toolsDeny: tools.optional(),
});
const agent = z.strictObject({
  apiVersion: z.literal("sympozium.ai/v1alpha1"),
  kind: z.enum(["Agent", "SympoziumInstance"]),
  metadata: meta,
  spec: z.strictObject({
    agents: z.strictObject({ default: z.strictObject({ model: text }) }),
    mcpServers: z.array(reference),
  }),
});
const labels = z.strictObject({ matchLabels: z.record(text, text) });
const peer = z.strictObject({
  namespaceSelector: z.union([labels, z.strictObject({})]).optional(),
  podSelector: labels,
});
const port = z.strictObject({ protocol: z.literal("TCP"), port: z.int() });
const networkPolicy = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("NetworkPolicy"),
  metadata: meta,
  spec: z.strictObject({
    podSelector: labels,
    policyTypes: z.array(z.enum(["Ingress", "Egress"])),
    ingress: z.array(z.strictObject({ from: z.array(peer), ports: z.array(port) })).optional(),
    egress: z.array(z.strictObject({ to: z.array(peer), ports: z.array(port) })).optional(),
  }),
});
const configMap = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ConfigMap"),
  metadata: meta,
  data: z.record(z.string().regex(/^[-._a-zA-Z0-9]+$/), z.string()),
});
const secret = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Secret"),
  metadata: meta,
  type: z.literal("Opaque"),
  stringData: z.record(z.string().regex(/^[-._a-zA-Z0-9]+$/), z.string()),
});
const manifest = z.discriminatedUnion("kind", [mcpServer, agent, networkPolicy, configMap, secret]);

const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const documents = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => ({
    file,
    value: document.toJS() as unknown,
  })),
);
const all = documents.map(({ value }) => manifest.parse(value));
const servers = all.filter((one) => one.kind === "MCPServer");
const find = (name: string) => servers.find((one) => one.metadata.name === name)!.spec;

describe("the manifests for Sympozium", () => {
  it.each(documents)("in $file hold the fields of its types and no other", ({ value }) => {
    expect(manifest.safeParse(value).error).toBeUndefined();
    const spoiled = structuredClone(value) as Record<string, Record<string, unknown>>;
    (spoiled.spec ?? spoiled.metadata)!.unknownField = true;
    expect(manifest.safeParse(spoiled).success).toBe(false);
  });

  it("refuse the volume name that Sympozium keeps for itself, another transport and a missing prefix", () => {
    const http = servers[0]!;
    const changed = (spec: object) => manifest.safeParse({ ...http, spec: { ...http.spec, ...spec } }).success;
    expect(changed({})).toBe(true);
    expect(changed({ transportType: "sse" })).toBe(false);
    expect(changed({ toolsPrefix: "" })).toBe(false);
    expect(changed({ deployment: { image: "x", volumes: [{ name: "adapter-bin" }] } })).toBe(false);
  });

  it("fit together: what one names, another has", () => {
    const named = (kind: string) => all.filter((one) => one.kind === kind).map((one) => one.metadata.name);
    for (const one of all.filter((it): it is z.infer<typeof agent> => "spec" in it && "agents" in it.spec)) {
      for (const it of one.spec.mcpServers) {
        expect(named("MCPServer")).toContain(it.name);
        if (it.authSecret !== undefined) expect(named("Secret")).toContain(it.authSecret);
      }
    }
    for (const { spec } of servers) {
      const volumes = spec.deployment?.volumes ?? [];
      for (const it of volumes) {
        if (it.secret !== undefined) expect(named("Secret")).toContain(it.secret.secretName);
        if (it.configMap === undefined) continue;
        const map = all.find((one) => one.kind === "ConfigMap" && one.metadata.name === it.configMap?.name);
        expect(map?.kind === "ConfigMap" && it.configMap.items?.map((item) => item.key)).toEqual(
          map?.kind === "ConfigMap" ? Object.keys(map.data) : undefined,
        );
      }
      expect(volumes.map((it) => it.name)).toEqual((spec.deployment?.volumeMounts ?? []).map((it) => it.name));
    }
  });

  it("apply, in the one command of the page, no vocabulary but the one in the image", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    const applied = [...(/^kubectl apply (.+)$/m.exec(page)?.[1] ?? "").matchAll(/-f (\S+)/g)].map(([, file]) => file!);
    expect(applied).toContain("mcpserver-http.yaml");
    for (const file of applied) expect(files).toContain(file);
    const text = applied.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
    expect(text).not.toMatch(/kind: ConfigMap|configMap:|mountPath: \/concepts/);
  });

  it("give a stdio server a command and no argument with a comma, which Sympozium would split", () => {
    const { deployment: stdio } = find("iaip-concepts-stdio");
    expect(stdio?.cmd).toBeDefined();
    expect(stdio?.args?.filter((arg) => arg.includes(","))).toEqual([]);
  });

  it("start an HTTP server that answers Sympozium's bridge at / under its service's name, and no one without the token", async () => {
    const { secret: token, stored } = makeToken(
      { name: "agents", scopes: ["read"], protocols: [], expires: undefined },
      new Date(),
    );
    const { deployment: http } = find("iaip-concepts");
    const tokens = join(scratch, "tokens.json");
    writeFileSync(tokens, printTokenFile([stored]));
    const args = (http?.args ?? []).map((arg) =>
      arg.replace("0.0.0.0:8080", "0.0.0.0:0").replace("/run/secrets/iaip/tokens.json", tokens),
    );
    const child = spawn(process.execPath, [await program(), ...args, "--greet"], {
      env: { PATH: process.env.PATH, ...http?.env, IAIP_DSL_CONCEPTS: concepts() },
    });
    try {
      const port = await new Promise<string>((resolve, reject) => {
        let said = "";
        child.once("exit", () => reject(new Error(said)));
        child.stderr.on("data", (chunk) => {
          said += chunk;
          const found = /http:\/\/\S+?:(\d+)\/mcp/.exec(said)?.[1];
          if (found !== undefined) resolve(found);
        });
      });
      const url = `http://127.0.0.1:${port}`;
      const host = "iaip-concepts.sympozium-system.svc:8080";
      const peer = new BridgeClientPeer(url, host, token);
      await peer.initialize();
      expect((await peer.tools()).map((tool) => tool.name)).toContain("iaip_concept_lookup");
      const told = await peer.call("iaip_concept_lookup", { concept: "Steeping" });
      expect(told.texts.join("")).toContain("Leaves rest in hot water");
      await expect(new BridgeClientPeer(url, host).tools()).rejects.toThrow("status 401");
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    } finally {
      child.kill("SIGTERM");
    }
  }, 60_000);
});

describe("the stdio manifest", () => {
  it("starts a server that answers Sympozium's adapter line for line", async () => {
    const { deployment: stdio } = find("iaip-concepts-stdio");
    const cli = await program();
    const args = (stdio?.args ?? []).map((arg) => (arg === "/app/dist/iaip-dsl.mjs" ? cli : arg));
    expect(args).toContain(cli);
    const env = { PATH: process.env.PATH ?? "", ...stdio?.env, IAIP_DSL_CONCEPTS: concepts() };
    const peer = new StdioAdapterPeer(stdio?.cmd === "node" ? process.execPath : "", args, env);
    const { result } = await peer.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(result.tools.map((tool: { name: string }) => tool.name)).toContain("iaip_concept_lookup");
    expect(peer.unasked).toEqual([]);
    await peer.close();
  });
});

/** The ConfigMap at the paths that the server's volume gives its keys. */
function concepts(): string {
  const target = join(scratch, "concepts");
  const map = all.find((one) => one.kind === "ConfigMap");
  const items = find("iaip-concepts-own").deployment?.volumes?.flatMap((one) => one.configMap?.items ?? []) ?? [];
  for (const { key, path } of items) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), map?.kind === "ConfigMap" ? map.data[key]! : "");
  }
  return target;
}
