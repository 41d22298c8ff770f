import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { installClients } from "../../scripts/clients/install.mjs";
import { makeToken, printTokenFile } from "../../src/http/auth/token-file.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let clients = "";
beforeAll(async () => {
  clients = await installClients();
}, 300_000);

async function run(command: string, args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const child = spawn(command, args, { cwd: options.cwd, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(options.input ?? "");
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code: code as number };
}

interface Step {
  readonly word: string;
  readonly rest: string;
}

async function dockerfile(): Promise<readonly Step[]> {
  const lines = (await readFile(join(root, "Dockerfile"), "utf8")).replaceAll("\\\n", " ").split("\n");
  return lines.flatMap((line) => {
    const found = /^([A-Z]+) +(.+)$/.exec(line.trim());
    return found === null ? [] : [{ word: found[1] ?? "", rest: found[2] ?? "" }];
  });
}

describe("The Dockerfile", () => {
  it("has nothing that dockerfilelint minds", async () => {
    const { out, code } = await run(join(clients, "node_modules", ".bin", "dockerfilelint"), [
      join(root, "Dockerfile"),
    ]);
    expect([code, /Issues: (.+)/.exec(out)?.[1]]).toEqual([0, expect.stringMatching(/^None/)]);
  });

  it("runs as nobody in particular, from pinned images, and copies what exists", async () => {
    const steps = await dockerfile();
    const of = (word: string) => steps.filter((step) => step.word === word).map(({ rest }) => rest);
    expect(of("FROM").every((image) => /^node:\d+\.\d+\.\d+-/.test(image))).toBe(true);
    expect(of("USER")).toEqual(["1000:1000"]);
    expect(of("VOLUME")).toEqual(['["/concepts", "/ledger"]']);
    const copied = of("COPY")
      .filter((rest) => !rest.startsWith("--from"))
      .flatMap((rest) => rest.split(" ").slice(0, -1));
    const ignored = await readFile(join(root, ".dockerignore"), "utf8");
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(ignored).toContain(`!${path}\n`);
    }
  });

  // Installs and builds from nothing, as an image does; a minute or two, so only in a long run.
  if (process.env.IAIP_LONG === "1")
    it("makes a server when its steps are taken by hand in an empty folder", async () => {
      const folder = await mkdtemp(join(tmpdir(), "iaip-image-"));
      const steps = await dockerfile();
      const stage = steps.findIndex(({ word }, index) => word === "FROM" && index > 0);
      for (const { word, rest } of steps.slice(0, stage)) {
        if (word === "COPY") {
          const parts = rest.split(" ");
          const target = parts.at(-1) ?? ".";
          for (const path of parts.slice(0, -1)) {
            const to = target.startsWith(".") ? join(folder, path) : join(folder, target);
            await mkdir(dirname(to), { recursive: true });
            await cp(join(root, path), to, { recursive: true, filter: (from) => !from.includes("node_modules") });
          }
        }
        if (word === "RUN") {
          const { code, err } = await run("sh", ["-c", rest], { cwd: folder });
          expect(code, `${rest}\n${err}`).toBe(0);
        }
      }
      const { secret, stored } = makeToken({ name: "t", scopes: ["read"], protocols: [] }, new Date());
      await writeFile(join(folder, "tokens.json"), printTokenFile([stored]));
      const command = JSON.parse(steps.find(({ word }) => word === "CMD")?.rest ?? "[]") as string[];
      const args = command.map((arg) => (arg.startsWith("/run/") ? join(folder, "tokens.json") : arg));
      const env = {
        ...process.env,
        IAIP_DSL_CONCEPTS: join(folder, "concepts"),
        IAIP_DSL_LEDGER: join(folder, "ledger.db"),
      };
      const child = spawn(process.execPath, [join(folder, "dist", "iaip-dsl.mjs"), ...args], { env, stdio: "ignore" });
      expect(steps.find(({ word }) => word === "HEALTHCHECK")?.rest).toContain('CMD ["node", "/app/health.mjs"]');
      const health = join(folder, "src", "plugins", "kubernetes", "health.mjs");
      const cmdline = `/proc/${child.pid}/cmdline`;
      await expect
        .poll(async () => (await run("node", [health, cmdline])).code, { timeout: 30_000, interval: 300 })
        .toBe(0);
      const ready = await fetch("http://127.0.0.1:7331/readyz", { headers: { authorization: `Bearer ${secret}` } });
      expect(await ready.json()).toMatchObject({ status: "ready", broken_files: [] });
      child.kill("SIGTERM");
      expect((await once(child, "exit"))[0]).toBe(0);
      await rm(folder, { recursive: true });
    }, 600_000);
});

describe("The Kubernetes manifests", () => {
  const folder = join(root, "src", "plugins", "kubernetes");
  const files: string[] = [];
  beforeAll(async () => {
    const all = await readdir(folder, { recursive: true });
    files.push(...all.filter((file) => file.endsWith(".yaml")).sort());
  });

  const objectsIn = async (file: string) =>
    parseAllDocuments(await readFile(join(folder, file), "utf8")).map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      // biome-ignore lint/suspicious/noExplicitAny: whatever a manifest holds
      return document.toJS() as any;
    });

  it("are valid by the models of Kubernetes", async () => {
    const manifests = files.filter((file) => !file.endsWith("kustomization.yaml"));
    const objects = (await Promise.all(manifests.map(objectsIn))).flat();
    const node = join(clients, "node_modules", "node", "bin", "node");
    const { out, err } = await run(node, [join(clients, "manifests.mjs")], { input: JSON.stringify(objects) });
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual({ checked: 6, problems: [] });
    const broken = [{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: { replicas: "two" } }];
    const wrong = await run(node, [join(clients, "manifests.mjs")], { input: JSON.stringify(broken) });
    expect(JSON.parse(wrong.out).problems).toHaveLength(1);
  });

  it("name in their kustomizations files that exist, and only their own", async () => {
    for (const file of files.filter((it) => it.endsWith("kustomization.yaml"))) {
      const [{ resources }] = await objectsIn(file);
      for (const resource of resources) expect(existsSync(join(folder, dirname(file), resource)), resource).toBe(true);
      const beside = files
        .filter((it) => dirname(it) === dirname(file) && it !== file)
        .map((it) => it.split("/").at(-1));
      expect(resources.filter((it: string) => it.endsWith(".yaml")).sort()).toEqual(beside.sort());
    }
  });

  it("agree with one another and give the process no more than it needs", async () => {
    const [service] = await objectsIn("base/service.yaml");
    for (const variant of ["sqlite", "postgres"]) {
      const [deployment] = await objectsIn(`${variant}/deployment.yaml`);
      const { template, selector } = deployment.spec;
      expect(selector.matchLabels).toEqual(service.spec.selector);
      expect(template.metadata.labels).toEqual(service.spec.selector);
      const [container] = template.spec.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(template.spec.securityContext.runAsNonRoot).toBe(true);
      const volumes = template.spec.volumes.map(({ name }: { name: string }) => name).sort();
      expect(container.volumeMounts.map(({ name }: { name: string }) => name).sort()).toEqual(volumes);
    }
  });
});
