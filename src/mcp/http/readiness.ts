import type { Caller } from "../../core/concept/caller.ts";
import type { SnapshotSource } from "../../core/ports.ts";
import type { Readiness } from "../../http/health.ts";

export interface ReadinessOptions {
  readonly source: SnapshotSource;
  /** Rejects, with a sentence, while the ledger cannot be written. */
  readonly probeLedger: () => Promise<void>;
}

/** A probe that answers later than this counts as one that failed, in milliseconds. */
const probeMs = 2000;
/** Probes come often, and the ledger need not hear of each. */
const keptMs = 1000;

/**
 * Ready once a vocabulary has loaded and while the ledger can be written. Files that are broken but served from their
 * last good text are named, as far as the caller may know of them.
 */
export function readinessOf({ source, probeLedger }: ReadinessOptions): (caller: Caller) => Promise<Readiness> {
  const ledgerTrouble = remembered(() => troubleOf(probeLedger));
  return async (caller) => {
    const loaded = source.snapshot.sequence > 0;
    const ledger = await ledgerTrouble();
    const waits = [...(loaded ? [] : ["no vocabulary has loaded yet"])];
    // Why not may name places and peers: it is for whoever runs the server.
    const mayKnowWhy = caller.kind === "local" || caller.scopes.has("steward");
    if (ledger !== undefined) waits.push(mayKnowWhy ? ledger : "the ledger cannot be written");
    return { isReady: waits.length === 0, details: { waits, ...detailsOf(source, caller) } };
  };
}

function detailsOf({ snapshot }: SnapshotSource, caller: Caller) {
  const view = snapshot.viewFor(caller);
  const files = view.problems.flatMap(({ severity, file }) => (severity === "error" ? [file] : []));
  return {
    vocabulary: snapshot.vocabulary.name,
    revision: snapshot.sequence === 0 ? null : view.revision,
    broken_files: [...new Set(files)].sort(),
  };
}

async function troubleOf(probe: () => Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the ledger does not answer"), probeMs);
  });
  const trouble = probe().then(
    () => undefined,
    (error: unknown) => `the ledger cannot be written: ${error instanceof Error ? error.message : String(error)}`,
  );
  return Promise.race([trouble, late]).finally(() => clearTimeout(timer));
}

function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > keptMs) last = { at: now, answer: ask() };
    return last.answer;
  };
}
