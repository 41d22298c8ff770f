import { setImmediate } from "node:timers/promises";
import type { Log } from "../../base/log.ts";
import type { SnapshotSource } from "../../core/ports.ts";
import type { Snapshot } from "../../core/snapshot/snapshot.ts";
import { type Ledger, LedgerUnavailable } from "../port.ts";
import type { ConceptContent } from "../records.ts";
import { versionKey } from "../version-key.ts";
import { conceptContent } from "./concept-content.ts";

/** After a load, so that neither the handshake nor the first answers pay for it. In milliseconds. */
const settleAfter = 1_000;

/** Keeps a version of every concept that a load has changed. Returns the way to stop: what waits is kept first. */
export function keepVersions(
  source: SnapshotSource,
  ledger: Ledger,
  { log, after = settleAfter }: { readonly log: Log; readonly after?: number },
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isWaiting = true;
  let last: Promise<void> = Promise.resolve();
  const later = () => {
    isWaiting = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      isWaiting = false;
      last = last.then(() => keep(source.snapshot, ledger, log));
    }, after);
    timer.unref();
  };
  const stop = source.onDidChange(later);
  void source.ready.then(later, () => undefined);
  return () => {
    stop();
    clearTimeout(timer);
    if (isWaiting) {
      isWaiting = false;
      last = last.then(() => keep(source.snapshot, ledger, log));
    }
    return last;
  };
}

async function keep(snapshot: Snapshot, ledger: Ledger, log: Log): Promise<void> {
  try {
    await ledger.recordBatch([]);
    const made = await ledger.recordVersions(await contentOf(snapshot, await versionKey(ledger.where)));
    const changed = made.filter(({ version }) => version > 1).map(({ concept }) => concept);
    if (changed.length > 0) log("info", "The ledger keeps new versions of concepts.", { changed });
  } catch (error) {
    const level = error instanceof LedgerUnavailable ? "debug" : "error";
    log(level, "The versions of concepts could not be kept.", { why: String(error) });
  }
}

/** Hashing ten thousand concepts at once would hold up a hover. */
async function contentOf(snapshot: Snapshot, key: string | undefined): Promise<readonly ConceptContent[]> {
  const contents: ConceptContent[] = [];
  const revision = `${snapshot.vocabulary.name}@${snapshot.revision}`;
  for (const concept of snapshot.undisclosed.values()) {
    contents.push(conceptContent(concept, { revision, key }));
    if (contents.length % 50 === 0) await setImmediate();
  }
  return contents;
}
