import { type ExecFileException, execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { StdioPeer } from "./mcp/stdio-peer.ts";
import { startProcess } from "./support/start-process.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const version = (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }).version;

interface Snippet {
  readonly language: string;
  readonly text: string;
}

/** Every fenced block of the README, in order. */
const snippets: readonly Snippet[] = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((it) => ({
  language: it[1]!,
  text: it[2]!.trim(),
}));
/** The lines of all shell blocks, without their comments. */
const lines = snippets
  .filter((it) => it.language === "sh")
  .flatMap((it) => it.text.split("\n"))
  .map((it) => it.replace(/\s+#.*$/, "").trim());

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "iaip-readme-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every line and every block of the README is run by a test below, or named with the reason why not", () => {
  const elsewhere = [
    "scripts/start",
    "scripts/test",
    'node dist/iaip-dsl.mjs call iaip_concept_lookup \'{"concept":"etuaptmumk"}\'',
    "npm install -g .",
    "iaip-dsl --version",
    ...lines.filter((it) => it.startsWith("docker ")),
  ];
  expect(lines.filter((it) => !elsewhere.includes(it) && !it.startsWith("iaip-dsl "))).toEqual([]);
  expect(snippets.map((it) => it.language).filter((it) => it !== "sh")).toEqual(["json", "yaml"]);
});

test("scripts/start and scripts/test say how they are used", async () => {
  expect((await sh("scripts/test --help", root)).stdout).toContain("scripts/test --long");
  expect((await sh("bash -n scripts/start", root)).code).toBe(0);
});

test("the question to try is answered from the checkout", async () => {
  const line = lines.find((it) => it.startsWith("node dist/"))!;
  const { code, stdout } = await sh(line, root, { IAIP_DSL_LEDGER: "none" });
  expect(code).toBe(0);
  expect(stdout).toContain("Two-Eyed Seeing");
});

// No container engine can be counted on where the tests run: the images' command lines are read instead.
test("the docker lines name files, ports and arguments that are there", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const docker = lines.filter((it) => it.startsWith("docker "));
  expect(docker.length).toBe(3);
  for (const volume of docker.join(" ").match(/-v \S+:(\/[^:\s]+)/g) ?? [])
    expect(dockerfile).toContain(volume.split(":")[1]);
  expect(dockerfile).toContain("EXPOSE 7331");
});

/** What puts `iaip-dsl` on the PATH. Each gives the folder of the command. */
const installations = [
  {
    name: "installed from the checkout",
    async install() {
      const prefix = join(folder, "global");
      const { code, stderr } = await sh(`npm install -g --no-audit --no-fund --prefix ${prefix} .`, root);
      expect(stderr).not.toContain("npm error");
      expect(code).toBe(0);
      return join(prefix, "bin");
    },
  },
  {
    name: "installed from the packed tarball into an empty folder",
    async install() {
      const empty = join(folder, "empty");
      mkdirSync(empty);
      const packed = await sh(`npm pack --ignore-scripts --pack-destination ${empty}`, root);
      expect(packed.stdout).toContain(`iaip-dsl-${version}.tgz`);
      // The one native module is taken as it is built here; `scripts/test --long` builds it anew.
      const isLong = process.env.IAIP_LONG === "1";
      const overrides = isLong
        ? {}
        : { overrides: { "better-sqlite3": `file:${join(root, "node_modules/better-sqlite3")}` } };
      const asBuilt = isLong ? "" : "--ignore-scripts";
      writeFileSync(join(empty, "package.json"), JSON.stringify({ name: "empty", private: true, ...overrides }));
      const { code, stderr } = await sh(`npm install ${asBuilt} --no-audit --no-fund ./iaip-dsl-${version}.tgz`, empty);
      expect(stderr).not.toContain("npm error");
      expect(code).toBe(0);
      return join(empty, "node_modules/.bin");
    },
  },
];

describe.each(installations)("$name", ({ install }) => {
  let bin: string;
  let project: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    bin = await install();
    project = mkdtempSync(join(folder, "project-"));
    // The README's lines speak of a repository with a README.md and a folder docs.
    writeFileSync(join(project, "README.md"), "# Notes\n\nTwo-Eyed Seeing guides the work.\n");
    mkdirSync(join(project, "docs"));
    writeFileSync(join(project, "docs/plan.md"), "Let us hold a powwow about the release.\n");
    await sh("git init -q . && git add README.md", project);
    env = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: project, XDG_DATA_HOME: join(project, "data") };
  }, 300_000);

  test("says its version", async () => {
    expect((await sh("iaip-dsl --version", project, env)).stdout).toBe(`${version}\n`);
  });

  test("connects an agent by the README's JSON", async () => {
    const { mcpServers } = JSON.parse(snippets.find((it) => it.language === "json")!.text) as {
      readonly mcpServers: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
    };
    const [server] = Object.values(mcpServers);
    const child = startProcess(server!.command, server!.args, { env: { ...process.env, ...env }, cwd: project });
    const peer = new StdioPeer(child.stdin, child.stdout);
    await peer.initialize();
    const answer = await peer.call("iaip_concept_lookup", { concept: "etuaptmumk", depth: "brief" });
    expect(JSON.stringify(answer.result)).toContain("Two-Eyed Seeing");
    child.stdin.end();
    await child.ended;
  });

  test("reads wording by the README's lines", async () => {
    const reading = lines.filter((it) => it.startsWith("iaip-dsl ") && it !== "iaip-dsl --version");
    expect(reading.length).toBeGreaterThan(3);
    for (const line of reading) {
      const { code, stderr } = await sh(line, project, env);
      expect({ line, code: code === 0 || code === 1, stderr }).toEqual({ line, code: true, stderr: "" });
    }
    const sarif = JSON.parse(readFileSync(join(project, "findings.sarif"), "utf8")) as {
      readonly runs: readonly [{ readonly results: readonly { readonly ruleId: string }[] }];
    };
    expect(sarif.runs[0].results.map((it) => it.ruleId)).toContain("borrowed.powwow");
  });

  test("reads what is staged, by the README's pre-commit entry", async () => {
    const file = parse(snippets.find((it) => it.language === "yaml")!.text) as {
      readonly repos: readonly [{ readonly hooks: readonly [{ readonly entry: string }] }];
    };
    const { entry } = file.repos[0].hooks[0];
    expect((await sh(entry, project, env)).code).toBe(0);
    await sh("git add docs", project);
    const found = await sh(`${entry} --fail-on error`, project, env);
    expect(found.stdout).toContain("powwow");
    expect(found.code).toBe(1);
  });

  test("brings the bridge", async () => {
    const host = join(project, "host");
    mkdirSync(join(host, "node_modules"), { recursive: true });
    const installed = [join(bin, "../lib/node_modules/iaip-dsl"), join(bin, "../iaip-dsl")].find(existsSync)!;
    cpSync(installed, join(host, "node_modules/iaip-dsl"), {
      recursive: true,
      dereference: true,
      filter: (path) => !/iaip-dsl\/(?:node_modules|\.git|tests|src\/.*node_modules)(?:\/|$)/.test(path),
    });
    const script = 'import("iaip-dsl/bridge").then((it) => console.log(typeof it.McpDispatcher))';
    const { stdout } = await sh(`node --input-type=module -e '${script}'`, host, env);
    expect(stdout).toBe("function\n");
  });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function sh(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", line],
      { cwd, env: { ...process.env, ...env }, maxBuffer: 1 << 26 },
      (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}
