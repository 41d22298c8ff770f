import { localCaller } from "../core/concept/caller.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { Serving } from "./protocol/request.ts";
import { allResources, valueIn } from "./protocol/resources.ts";
import type { CallContext, Surface } from "./surface.ts";

/** What differs for a client after something happened. One of these for one happening. */
export interface Change {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** Resources whose text may differ now. */
  readonly updated: readonly string[];
  /** One line for clients that set a message level. */
  readonly message: string;
}

export interface Changes {
  /** Returns the way to stop listening. */
  listen(listener: (change: Change) => void): () => void;
  tell(change: Change): void;
  close(): void;
}

/** The resource that a new event changes, and a reload does not. */
export const ledgerUri = "iaip://wisdom/ledger";

/**
 * Follows the source: every reload is one change, told after the surface of the new snapshot is there. The first load is
 * none, as nobody was told anything before it.
 */
export function surfaceChanges(serving: Serving): Changes {
  const listeners = new Set<(change: Change) => void>();
  let last = serving.source.snapshot.sequence === 0 ? undefined : outline(serving);
  const tell = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };
  const stop = serving.source.onDidChange((previous, next) => {
    const before = last;
    const now = outline(serving);
    last = now;
    // Lists and reads wait for the first load: nobody has seen what was before it.
    if (before === undefined || previous.sequence === 0) return;
    const touched = touchedBetween(previous, next);
    tell({
      tools: now.tools !== before.tools,
      prompts: now.prompts !== before.prompts,
      resources: !sameSet(now.uris, before.uris),
      updated: updatedBy(before, now, serving.surface(), (id) => touched?.has(id) ?? true),
      message: `vocabulary ${next.vocabulary.name}, revision ${next.viewFor({ protocols: new Set() }).revision}, with ${next.problems.length} problems`,
    });
  });
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell,
    close: () => {
      stop();
      listeners.clear();
    },
  };
}

export function eventRecorded(): Change {
  return { tools: false, prompts: false, resources: false, updated: [ledgerUri], message: "a use was recorded" };
}

interface Outline {
  readonly tools: string;
  readonly prompts: string;
  readonly uris: ReadonlySet<string>;
}

function outline(serving: Serving): Outline {
  const surface = serving.surface();
  const listed = allResources(surface, contextOf(serving)).map(({ uri }) => uri);
  return { tools: JSON.stringify(surface.tools), prompts: JSON.stringify(surface.prompts), uris: new Set(listed) };
}

/** Fixed resources and directions always; of the concepts those that came, went or read differently. */
function updatedBy(before: Outline, now: Outline, surface: Surface, differs: (id: string) => boolean) {
  const byConcept = surface.templates.filter(({ variable }) => variable === "id");
  const same = (uri: string): boolean =>
    byConcept.some((template) => {
      const id = valueIn(template, uri);
      return id !== undefined && before.uris.has(uri) && now.uris.has(uri) && !differs(id);
    });
  return [...new Set([...before.uris, ...now.uris])].filter((uri) => uri !== ledgerUri && !same(uri));
}

/**
 * Concepts that may read differently: those whose files changed, and those that are related to one, as each tells the
 * other's name. `undefined` where every concept may: a changed scheme or bibliography shows in all of them.
 */
function touchedBetween(previous: Snapshot, next: Snapshot): ReadonlySet<string> | undefined {
  if (previous.vocabulary !== next.vocabulary || previous.sources !== next.sources) return undefined;
  const ids = new Set([...previous.undisclosed.keys(), ...next.undisclosed.keys()]);
  const changed = new Set([...ids].filter((id) => previous.undisclosed.get(id) !== next.undisclosed.get(id)));
  const touched = new Set(changed);
  for (const { undisclosed } of [previous, next]) {
    for (const [id, { relations }] of undisclosed) {
      for (const { to } of relations) {
        if (changed.has(to)) touched.add(id);
        if (changed.has(id)) touched.add(to);
      }
    }
  }
  return touched;
}

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((it) => other.has(it));
}

function contextOf({ source, ledger }: Serving): CallContext {
  return { source, ledger, caller: localCaller(), signal: new AbortController().signal };
}
