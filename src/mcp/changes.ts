import type { Caller } from "../core/concept/caller.ts";
import type { Disclosed } from "../core/concept/disclosure.ts";
import type { Snapshot } from "../core/snapshot/snapshot.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import type { Serving } from "./protocol/request.ts";
import { allResources, valueIn } from "./protocol/resources.ts";

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
  /** What changes in the view of one caller. Returns the way to stop listening. */
  listen(caller: Caller, listener: (change: Change) => void): () => void;
  tell(change: Change): void;
  close(): void;
}

/** The resource that a new event changes, and a reload does not. */
export const ledgerUri = "iaip://wisdom/ledger";

/**
 * Follows the source: every reload is one change, told after the surface of the new snapshot is there. The first load is
 * none, as nobody was told anything before it. A caller hears of what differs in its own view, and of a reload that
 * changes nothing there it hears nothing.
 */
export function surfaceChanges(serving: Serving): Changes {
  const listeners = new Map<(change: Change) => void, Caller>();
  let last = serving.source.snapshot.sequence === 0 ? undefined : outline(serving);
  const stop = serving.source.onDidChange((previous, next) => {
    const before = last;
    const now = outline(serving);
    last = now;
    // Lists and reads wait for the first load: nobody has seen what was before it.
    if (before === undefined || previous.sequence === 0) return;
    const changes = new Map<CallerView, Change | undefined>();
    for (const [listener, caller] of listeners) {
      const view = next.viewFor(caller);
      if (!changes.has(view)) changes.set(view, changeBetween(serving, before, now, { previous, next, caller }));
      const change = changes.get(view);
      if (change) listener(change);
    }
  });
  return {
    listen: (caller, listener) => {
      listeners.set(listener, caller);
      return () => listeners.delete(listener);
    },
    tell: (change) => {
      for (const listener of listeners.keys()) listener(change);
    },
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
}

function outline(serving: Serving): Outline {
  const { tools, prompts } = serving.surface();
  return { tools: JSON.stringify(tools), prompts: JSON.stringify(prompts) };
}

interface Reload {
  readonly previous: Snapshot;
  readonly next: Snapshot;
  readonly caller: Caller;
}

/** `undefined` where the caller could not tell the two snapshots apart. */
function changeBetween(serving: Serving, before: Outline, now: Outline, reload: Reload): Change | undefined {
  const { previous, next, caller } = reload;
  const [old, view] = [previous.viewFor(caller), next.viewFor(caller)];
  const [tools, prompts] = [now.tools !== before.tools, now.prompts !== before.prompts];
  if (isElsewhere(reload) && !tools && !prompts) return undefined;
  const [were, are] = [urisIn(serving, previous, caller), urisIn(serving, next, caller)];
  const touched = touchedBetween(old, view);
  const isUntouched = (uri: string): boolean => {
    const id = conceptIn(serving, uri);
    const stayed = id !== undefined && old.concepts.has(id) && view.concepts.has(id);
    return stayed && touched !== undefined && !touched.has(id);
  };
  return {
    tools,
    prompts,
    resources: !sameSet(were, are),
    updated: [...new Set([...were, ...are])].filter((uri) => uri !== ledgerUri && !isUntouched(uri)),
    message: `vocabulary ${view.vocabulary.name}, revision ${view.revision}, with ${view.problems.length} problems`,
  };
}

/** Whether all that changed is withheld from the caller. */
function isElsewhere({ previous, next, caller }: Reload): boolean {
  const [old, view] = [previous.viewFor(caller), next.viewFor(caller)];
  const isSame = (one: Revised, other: Revised) =>
    one.revision === other.revision && JSON.stringify(one.problems) === JSON.stringify(other.problems);
  return isSame(old, view) && !isSame(previous, next);
}

type Revised = Pick<Snapshot, "revision" | "problems">;

function urisIn(serving: Serving, snapshot: Snapshot, caller: Caller): ReadonlySet<string> {
  const source = { snapshot, ready: Promise.resolve(), onDidChange: () => () => undefined };
  const context = { source, ledger: serving.ledger, caller, signal: new AbortController().signal };
  return new Set(allResources(serving.surface(), context).map(({ uri }) => uri));
}

/** The id of the concept that a resource is; fixed resources have none. */
function conceptIn(serving: Serving, uri: string): string | undefined {
  const { resources, templates } = serving.surface();
  if (resources.some((it) => it.uri === uri)) return undefined;
  const byConcept = templates.filter(({ variable }) => variable === "id");
  return byConcept.map((it) => valueIn(it, uri)).find((it) => it !== undefined);
}

/**
 * Concepts that may read differently: those that changed, and those that are related to one, as each tells the other's
 * name. `undefined` where every concept may: a changed scheme or bibliography shows in all of them.
 */
function touchedBetween(old: CallerView, view: CallerView): ReadonlySet<string> | undefined {
  if (old.vocabulary !== view.vocabulary || old.sources !== view.sources) return undefined;
  const ids = new Set([...old.concepts.keys(), ...view.concepts.keys()]);
  const changed = new Set([...ids].filter((id) => !isSameConcept(old.concepts.get(id), view.concepts.get(id))));
  const touched = new Set(changed);
  for (const { concepts } of [old, view]) {
    for (const [id, { concept }] of concepts) {
      for (const { to } of concept.relations) {
        if (changed.has(to)) touched.add(id);
        if (changed.has(id)) touched.add(to);
      }
    }
  }
  return touched;
}

/** What is disclosed in full is the same object while its file stays; the rest is made anew for each view. */
function isSameConcept(one: Disclosed | undefined, other: Disclosed | undefined): boolean {
  return one?.concept === other?.concept || JSON.stringify(one) === JSON.stringify(other);
}

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((it) => other.has(it));
}
