import type { ServerResponse } from "node:http";
import type { SnapshotSource } from "../core/ports.ts";
import type { Access } from "./access.ts";
import { authenticate } from "./access.ts";
import type { Route } from "./exchange.ts";

export interface HealthOptions {
  readonly source: SnapshotSource;
  readonly access: Access;
  /** Rejects, with a sentence, while the ledger cannot be written. */
  readonly probeLedger: () => Promise<void>;
}

/** A probe that answers later than this counts as one that failed, in milliseconds. */
const probeMs = 2000;
/** Probes come often, and the ledger need not hear of each. */
const keptMs = 1000;

/**
 * `/healthz` says that the process answers. `/readyz` says whether it should be asked: not before a vocabulary has
 * loaded, and not while the ledger cannot be written. Files that are broken but served from their last good words are
 * named in a ready answer, to callers who may read.
 */
export function healthRoutes({ source, access, probeLedger }: HealthOptions): readonly Route[] {
  const ledgerTrouble = remembered(() => troubleOf(probeLedger));
  return [
    {
      paths: ["/healthz"],
      methods: ["GET", "HEAD"],
      open: true,
      handle: async ({ response }) => send(response, 200, { status: "ok" }),
    },
    {
      paths: ["/readyz"],
      methods: ["GET", "HEAD"],
      open: true,
      handle: async ({ request, response }) => {
        const checked = await authenticate(access, request.headers.authorization);
        const mayRead = checked !== "missing" && checked.kind === "known" && checked.caller.scopes.has("read");
        const loaded = source.snapshot.sequence > 0;
        const ledger = await ledgerTrouble();
        const waits = [...(loaded ? [] : ["no vocabulary has loaded yet"]), ...(ledger === undefined ? [] : [ledger])];
        const details = mayRead ? { waits, ...detailsOf(source) } : {};
        const ready = waits.length === 0;
        send(response, ready ? 200 : 503, { status: ready ? "ready" : "not ready", ...details });
      },
    },
  ];
}

function detailsOf({ snapshot }: SnapshotSource) {
  const files = snapshot.problems.filter(({ severity }) => severity === "error").map(({ file }) => file);
  return {
    vocabulary: snapshot.vocabulary.name,
    revision: snapshot.sequence === 0 ? null : snapshot.viewFor({ protocols: new Set() }).revision,
    broken_files: [...new Set(files)].sort(),
  };
}

async function troubleOf(probe: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the ledger does not answer"), probeMs);
  });
  const told = probe().then(
    () => undefined,
    (error: unknown) => `the ledger cannot be written: ${error instanceof Error ? error.message : String(error)}`,
  );
  return Promise.race([told, late]).finally(() => clearTimeout(timer));
}

function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > keptMs) last = { at: now, answer: ask() };
    return last.answer;
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
