import type { Snapshot } from "./snapshot/snapshot.ts";

/** Where the present snapshot comes from. */
export interface SnapshotSource {
  /** The present snapshot; before the first load, an empty one with `revision` 0. */
  readonly snapshot: Snapshot;
  /** Settles once the first load is done; a server answers its handshake before. */
  readonly ready: Promise<void>;
  /** Called after each swap, in order. Returns the way to stop listening. */
  onDidChange(listener: (previous: Snapshot, next: Snapshot) => void): () => void;
}
