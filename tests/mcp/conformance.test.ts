import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installClients } from "../../scripts/clients/install.mjs";
import { forkHttp, type HttpProcess } from "./http-process.ts";

/** What a server without sessions cannot do: reach a client of the 2025 revisions on its own account. */
const serverToClient = [
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "logging-set-level",
  "resources-subscribe",
  "resources-unsubscribe",
  "tools-call-elicitation",
  "tools-call-sampling",
  "tools-call-with-logging",
];

interface Run {
  readonly code: number;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

describe("The conformance suite, on the real doors over the shipped vocabulary", () => {
  let folder = "";
  let clients = "";
  const servers = new Map<"stateless" | "sessions", HttpProcess>();

  beforeAll(async () => {
    clients = await installClients();
    folder = await mkdtemp(join(tmpdir(), "iaip-conformance-"));
    const concepts = fileURLToPath(new URL("../../concepts", import.meta.url));
    const entry = "tests/mcp/conformance/server.ts";
    servers.set("stateless", await forkHttp({ concepts }, entry));
    servers.set("sessions", await forkHttp({ concepts, sessions: { idleMs: 60_000, max: 100 } }, entry));
  }, 300_000);
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });

  /** The suite wants Node 22, which comes as a package beside it. */
  function run(
    suite: "@modelcontextprotocol/conformance" | "conformance-next",
    door: "stateless" | "sessions",
    more: readonly string[],
  ) {
    const modules = join(clients, "node_modules");
    const url = servers.get(door)?.mcp.replace("127.0.0.1", "localhost") ?? "";
    const args = [join(modules, suite, "dist", "index.js"), "server", "--url", url, ...more, "-o", join(folder, "out")];
    return new Promise<Run>((resolve) => {
      execFile(join(modules, "node", "bin", "node"), args, { maxBuffer: 1 << 26 }, (error, stdout) => {
        const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
        const named = (mark: string) =>
          [...summary.matchAll(new RegExp(`^${mark} ([\\w-]+):`, "gm"))].map(([, name]) => name ?? "");
        const code = error === null ? 0 : Number(error.code ?? 1);
        resolve({ code, passed: named("✓"), failed: named("✗").sort() });
      });
    });
  }

  it("0.1.16, everything: all pass with sessions", async () => {
    const { code, passed, failed } = await run("@modelcontextprotocol/conformance", "sessions", ["--suite", "all"]);
    expect([code, passed.length, failed]).toEqual([0, 32, []]);
  }, 120_000);

  it("0.1.16, everything: without sessions exactly what reaches from server to client fails", async () => {
    const { passed, failed } = await run("@modelcontextprotocol/conformance", "stateless", ["--suite", "all"]);
    expect([passed.length, failed]).toEqual([24, serverToClient]);
  }, 120_000);

  it("0.2 alpha, what 2025-11-25 requires: all pass with sessions", async () => {
    const { code, passed, failed } = await run("conformance-next", "sessions", ["--requirements", "2025-11-25"]);
    expect([code, passed.length, failed]).toEqual([0, 33, []]);
  }, 120_000);

  it("0.2 alpha, what 2025-11-25 requires: without sessions exactly what reaches from server to client fails", async () => {
    const { failed } = await run("conformance-next", "stateless", ["--requirements", "2025-11-25"]);
    expect(failed).toEqual(serverToClient);
  }, 120_000);

  it.each(["stateless", "sessions"] as const)(
    "0.2 alpha, what 2026-07-28 requires: all pass, %s; only the tasks extension is not there",
    async (door) => {
      const { code, passed, failed } = await run("conformance-next", door, ["--requirements", "2026-07-28"]);
      expect(code).toBe(0);
      expect(failed.filter((name) => !name.startsWith("tasks-"))).toEqual([]);
      expect(passed.filter((name) => !name.startsWith("tasks-"))).toHaveLength(40);
    },
    120_000,
  );
});
