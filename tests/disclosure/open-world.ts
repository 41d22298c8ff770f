import { join } from "node:path";
import type { Log } from "../../src/base/log.ts";
import { type Caller, localCaller } from "../../src/core/concept/caller.ts";
import { openAccess } from "../../src/http/auth/open-access.ts";
import { makeToken, printTokenFile } from "../../src/http/auth/token-file.ts";
import { serveMcpHttp } from "../../src/mcp/http/serve.ts";
import { surfaceFor } from "../../src/mcp/surface-for.ts";
import { type Both, openBoth } from "../support/both.ts";
import type { Files } from "../support/small-vocabulary.ts";

/** One vocabulary behind every surface, for a caller with these protocols. */
export interface OpenPair {
  readonly both: Both;
  readonly caller: Caller;
  readonly concepts: string;
  readonly http: { readonly url: string; readonly bearer: Readonly<Record<string, string>> };
  /** Lines of the log, as JSON. */
  readonly log: readonly string[];
  /** Edits the guarded file, where there is one. */
  edit(): Promise<void>;
  close(): Promise<void>;
}

export async function openPair(files: Files, edited: Files, protocols: readonly string[] = []): Promise<OpenPair> {
  const lines: string[] = [];
  const log: Log = (level, message, facts) => void lines.push(JSON.stringify([level, message, facts]));
  const caller = localCaller(protocols);
  const below = (all: Files) =>
    Object.fromEntries(Object.entries(all).map(([file, text]) => [`concepts/${file}`, text]));
  const both = await openBoth({ files: below(files), caller, log });
  await both.workspace.ready;
  const token = makeToken({ name: "reader", scopes: ["read", "log"], protocols: [...protocols] }, new Date(0));
  await both.write("tokens.json", printTokenFile([token.stored]));
  const server = await serveMcpHttp({
    surface: () => surfaceFor(both.workspace.snapshot, "0.0.0"),
    source: both.workspace,
    ledger: both.ledger,
    log,
    host: "127.0.0.1",
    port: 0,
    access: await openAccess({ host: "127.0.0.1", tokenFile: join(both.folder, "tokens.json"), log }),
    sessions: { idleMs: 60_000, max: 10 },
    limits: { requestsPerSecond: 10_000 },
    drainMs: 100,
  });
  return {
    both,
    caller,
    concepts: join(both.folder, "concepts"),
    http: { url: server.url, bearer: { authorization: `Bearer ${token.secret}` } },
    log: lines,
    async edit() {
      for (const [file, text] of Object.entries(below(edited))) await both.write(file, text);
    },
    async close() {
      await server.close();
      await both.close();
    },
  };
}
