import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installSdks } from "../../scripts/clients/install.mjs";
import { concepts, oneOfEach, program, type Served, serveHttp } from "./served.ts";

const isLong = process.env.IAIP_LONG === "1";
/** The first, the three that refused icons which they could not read, and the last. */
const few = ["sdk-1.0.4", "sdk-1.18.0", "sdk-1.18.1", "sdk-1.18.2", "sdk-1.32.2"];

describe("The SDK's own client, in each of its minor versions", () => {
  let folder = "";
  let sdks = "";
  let versions: readonly string[] = [];
  let stateless: Served;
  let withSessions: Served;
  let targets: Readonly<Record<string, object>>;

  beforeAll(async () => {
    sdks = await installSdks();
    const { dependencies } = JSON.parse(await readFile(join(sdks, "package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const all = Object.keys(dependencies).filter((name) => name.startsWith("sdk-"));
    versions = isLong ? all : all.filter((name) => few.includes(name));
    folder = await mkdtemp(join(tmpdir(), "iaip-sdks-"));
    const ledger = join(folder, "ledger.db");
    [stateless, withSessions] = await Promise.all([serveHttp(ledger), serveHttp(ledger, ["--sessions"])]);
    const args = [await program(), "serve", "--mcp", "stdio", "--concepts", concepts, "--ledger", "none"];
    targets = {
      stdio: { transport: "stdio", command: process.execPath, args },
      "/mcp": { transport: "http", url: stateless.mcp },
      "/mcp with sessions": { transport: "http", url: withSessions.mcp },
      "/sse": { transport: "sse", url: `${stateless.url}/sse` },
    };
  }, 600_000);
  afterAll(async () => {
    await Promise.all([stateless.stop(), withSessions.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("connects, lists the tools and calls one over each transport that it has", async () => {
    const table: Record<string, Record<string, string>> = {};
    for (const version of versions) {
      const row = await Promise.all(
        Object.entries(targets).map(async ([name, target]) => [name, await outcome(sdks, version, target)] as const),
      );
      table[version.slice("sdk-".length)] = Object.fromEntries(row);
    }
    if (isLong) console.table(table);
    const hasHttp = (version: string): boolean => Number(version.split(".")[1]) >= 10;
    const wanted = Object.keys(table).map((version) => [
      version,
      Object.fromEntries(
        Object.keys(targets).map((name) => [
          name,
          name.startsWith("/mcp") && !hasHttp(version) ? "absent" : `${oneOfEach.length} tools`,
        ]),
      ),
    ]);
    expect(table).toEqual(Object.fromEntries(wanted));
  }, 1_200_000);
});

async function outcome(folder: string, version: string, target: object): Promise<string> {
  const run = promisify(execFile);
  try {
    const args = [join(folder, "connect.mjs"), version, JSON.stringify(target)];
    const { stdout } = await run(process.execPath, args, { timeout: 120_000 });
    const said = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
    if (said.kind === "absent") return "absent";
    return said.isError === true ? "the call failed" : `${String(said.tools)} tools`;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    return `failed: ${(/Error: .*/.exec(stderr)?.[0] ?? message).slice(0, 200)}`;
  }
}
