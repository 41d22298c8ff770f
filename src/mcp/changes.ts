import type { Caller } from "../core/concept/caller.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import type { Serving } from "./protocol/request.ts";
import { allResources, uriIn } from "./protocol/resources.ts";
import { latestLegacyRevision } from "./protocol/revision.ts";
import type { Surface } from "./surface.ts";

/** What differs for one client after something happened. */
export interface Change {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** Resources whose text differs now. */
  readonly updated: readonly string[];
  /** One line for clients that set a message level; absent where nothing is to be said. */
  readonly message?: string;
}

export interface Changes {
  /** Calls the listener with what differs for this caller, and with nothing else. Returns the way to stop listening. */
  listen(caller: () => Caller, listener: (change: Change) => void): () => void;
  /** Tells everybody the same. */
  tell(change: Change): void;
  /** An event of this concept is in the ledger. */
  recorded(concept: string | undefined): void;
  close(): void;
}

/** The resource that a new event changes, and a reload does not. */
export const ledgerUri = "iaip://wisdom/ledger";

interface Listener {
  readonly caller: () => Caller;
  readonly hear: (change: Change) => void;
}

/**
 * Follows the source: every reload is one change, announced after the surface of the new snapshot is there, to each listener
 * in its own caller's view. The first load is none, as nobody has seen anything before it.
 */
export function surfaceChanges({ source, surface }: Serving): Changes {
  const listeners = new Set<Listener>();
  let lastSurface = source.snapshot.sequence === 0 ? undefined : surface();
  const stop = source.onDidChange((previous, next) => {
    const before = lastSurface;
    const now = surface();
    lastSurface = now;
    // Lists and reads wait for the first load: nobody has seen what was before it.
    if (before === undefined || previous.sequence === 0) return;
    const differences = new Map<CallerView, Change | undefined>();
    for (const { caller, hear } of listeners) {
      const view = next.viewFor(caller());
      if (!differences.has(view)) {
        const old = { surface: before, view: previous.viewFor(caller()) };
        differences.set(view, difference(old, { surface: now, view }));
      }
      const change = differences.get(view);
      if (change !== undefined) hear(change);
    }
  });
  return {
    listen: (caller, hear) => {
      const listener = { caller, hear };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: (change) => {
      for (const { hear } of listeners) hear(change);
    },
    recorded: (concept) => {
      const change = { tools: false, prompts: false, resources: false, updated: [ledgerUri], message: recordedMessage };
      for (const { caller, hear } of listeners) {
        if (concept === undefined || knows(source.snapshot, caller(), concept)) hear(change);
      }
    },
    close: () => {
      stop();
      listeners.clear();
    },
  };
}

const recordedMessage = "a use was recorded";

function knows(snapshot: Snapshot, caller: Caller, concept: string): boolean {
  return snapshot.viewFor(caller).concepts.has(concept);
}

interface State {
  readonly surface: Surface;
  readonly view: CallerView;
}

/** `undefined` where a caller with these views could find no difference. */
function difference(before: State, now: State): Change | undefined {
  const [old, next] = [before.view, now.view];
  const isToolsChanged = JSON.stringify(before.surface.tools) !== JSON.stringify(now.surface.tools);
  const isPromptsChanged = JSON.stringify(before.surface.prompts) !== JSON.stringify(now.surface.prompts);
  const isTextChanged = old.revision !== next.revision;
  const isSaid = isTextChanged || JSON.stringify(old.problems) !== JSON.stringify(next.problems);
  if (!(isToolsChanged || isPromptsChanged || isSaid)) return undefined;
  const { vocabulary, revision, problems } = next;
  return {
    tools: isToolsChanged,
    prompts: isPromptsChanged,
    resources: isTextChanged && listing(before) !== listing(now),
    updated: isTextChanged ? updated(before, now) : [],
    message: `vocabulary ${vocabulary.name}, revision ${revision}, with ${problems.length} problems`,
  };
}

function listing({ surface, view }: State): string {
  return JSON.stringify(allResources({ surface, view, revision: latestLegacyRevision }));
}

/** Every fixed resource but the ledger says its revision, so all of them differ; of a template's those that it finds. */
function updated(before: State, now: State): readonly string[] {
  const fixed = now.surface.resources.map(({ uri }) => uri).filter((uri) => uri !== ledgerUri);
  const made = now.surface.templates.flatMap((template) =>
    template.changed(before.view, now.view).map((value) => uriIn(template, value)),
  );
  return [...fixed, ...made];
}
