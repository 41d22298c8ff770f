import { lazy } from "../base/lazy.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { unloaded } from "../core/snapshot/unloaded.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface LazyWorkspace extends Workspace {
  /** What else must be there before `ready` settles; to be said before it is first asked for. */
  beside(work: () => Promise<unknown>): void;
}

/**
 * A workspace whose code and files are read when `ready` is first asked for, so that a server answers its handshake
 * before. A listener that fails is the workspace's own to tell.
 */
export function lazyWorkspace(folder: string, open: () => Promise<Workspace>): LazyWorkspace {
  const listeners = new Set<(previous: Snapshot, next: Snapshot) => void>();
  const besides: (() => Promise<unknown>)[] = [];
  let opened: Workspace | undefined;
  let isDisposed = false;
  const load = lazy(async () => {
    const [workspace] = await Promise.all([open(), ...besides.map((it) => it())]);
    if (isDisposed) return workspace.dispose();
    opened = workspace;
    workspace.onDidChange((previous, next) => {
      for (const listener of [...listeners]) listener(previous, next);
    });
    await workspace.ready;
  });
  return {
    folder,
    get snapshot() {
      return opened?.snapshot ?? unloaded;
    },
    get ready() {
      return load();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    beside: (work) => void besides.push(work),
    async reload() {
      await load();
      await opened?.reload();
    },
    async dispose() {
      isDisposed = true;
      listeners.clear();
      await opened?.dispose();
    },
  };
}
