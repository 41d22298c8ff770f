import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { buildEntry } from "./build-entry.ts";

export const concepts = fileURLToPath(new URL("../../concepts", import.meta.url));

let built: Promise<string> | undefined;

/** The program itself, bundled once for this run of tests. */
export function program(): Promise<string> {
  built ??= buildEntry("src/main.ts");
  return built;
}

export interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly mcp: string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The program serving MCP over HTTP over the shipped vocabulary, as its command line starts it. */
export async function serveHttp(ledger: string, more: readonly string[] = [], port = 0): Promise<Served> {
  const args = [
    "serve",
    "--mcp",
    `http:127.0.0.1:${port}`,
    "--greet",
    "--concepts",
    concepts,
    "--ledger",
    ledger,
    ...more,
  ];
  const child = spawn(process.execPath, [await program(), ...args]);
  child.stdin.end();
  child.stdout.resume();
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`the server did not start: ${said}`)));
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /MCP is served on (http:\S+)\/mcp/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    child,
    url,
    mcp: `${url}/mcp`,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill(signal);
      return (await once(child, "exit"))[0] as number | null;
    },
  };
}

/** One call of each tool that tells something of the shipped vocabulary. */
export const oneOfEach = [
  { tool: "iaip_concept_lookup", arguments: { concept: "etuaptmumk" } },
  { tool: "iaip_concept_relationship", arguments: { concept1: "etuaptmumk", concept2: "relational-accountability" } },
  { tool: "iaip_concept_search", arguments: { query: "relational" } },
  { tool: "iaip_validate_terminology", arguments: { text: "We bridge the gap between stakeholders and the problem." } },
  { tool: "iaip_concept_context", arguments: { concept: "etuaptmumk" } },
  { tool: "iaip_direction_concepts", arguments: { direction: "east" } },
  { tool: "iaip_concept_suggest", arguments: { context: "Review research with a community" } },
  {
    tool: "iaip_wisdom_ledger_log",
    arguments: { concept: "etuaptmumk", agent_id: "a-foreign-client", context: "listing and calling every tool" },
  },
] as const;
