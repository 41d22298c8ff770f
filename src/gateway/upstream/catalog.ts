import { isRecord } from "../../base/json-rpc.ts";
import type { Scope } from "../../core/concept/caller.ts";
import { type Items, type ListKind, type Lists, listKinds } from "./lists.ts";
import { mendItem } from "./mend.ts";
import type { Params } from "./meta.ts";
import { finalName, isShown, type ToolFilter } from "./tool-filter.ts";

/** What the catalog needs to know of an upstream. */
export interface Source extends ToolFilter {
  readonly name: string;
  /** `undefined` for the mounted concept server, which keeps its names. */
  readonly prefix: string | undefined;
  readonly trusted: boolean;
  /** What a caller needs for a tool that may change things. Only the concept server's own answers reveal nothing. */
  readonly scopeOfWrites: "log" | "read and log";
}

export interface Owned {
  readonly upstream: string;
  readonly raw: string;
  /** Safe to send twice: the hint of a server that is trusted. */
  readonly readOnly: boolean;
  /** The scopes that a caller needs for it. */
  readonly needs: readonly Scope[];
}

/** What all upstreams have, by final name. */
export interface Catalog {
  readonly tools: Items;
  readonly prompts: Items;
  readonly resources: Items;
  readonly templates: Items;
  readonly toolOwners: ReadonlyMap<string, Owned>;
  readonly promptOwners: ReadonlyMap<string, Owned>;
  readonly resourceOwners: ReadonlyMap<string, string>;
  readonly templateOwners: ReadonlyMap<string, string>;
  /** Final tool names by upstream. */
  readonly toolsOf: ReadonlyMap<string, readonly string[]>;
  /** Why something is left out, by upstream. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
  /** What was changed so that clients take the lists, by upstream. */
  readonly mended: ReadonlyMap<string, readonly string[]>;
}

/** Merges lists in the order of the sources: of two that meet, the first stays and the second is left out, with the reason. */
export function buildCatalog(sources: readonly { readonly source: Source; readonly lists: Lists }[]): Catalog {
  const leftOut = new Map<string, string[]>(sources.map(({ source }) => [source.name, []]));
  const skip = (upstream: string, reason: string) => leftOut.get(upstream)?.push(reason);
  const mended = new Map<string, string[]>(sources.map(({ source }) => [source.name, []]));
  const sound = sources.map(({ source, lists }) => {
    const soundItems = (kind: ListKind) =>
      lists[kind].flatMap((item) => {
        const found = mendItem(kind, item);
        if (found.kind === "left-out") skip(source.name, found.reason);
        else mended.get(source.name)?.push(...found.mended);
        return found.kind === "left-out" ? [] : [found.item];
      });
    return { source, lists: Object.fromEntries(listKinds.map((kind) => [kind, soundItems(kind)])) as unknown as Lists };
  });
  return { ...merge(sound, skip), leftOut, mended };
}

function merge(sources: Sources, skip: Skip): Omit<Catalog, "leftOut" | "mended"> {
  const tools = named(sources, "tools", skip);
  const prompts = named(sources, "prompts", skip);
  const resources = addressed(sources, "resources", "uri", skip);
  const templates = addressed(sources, "templates", "uriTemplate", skip);
  const toolsOf = new Map<string, string[]>(sources.map(({ source }) => [source.name, []]));
  for (const [name, owner] of tools.owners) toolsOf.get(owner.upstream)?.push(name);
  return {
    tools: tools.items,
    prompts: prompts.items,
    resources: resources.items,
    templates: templates.items,
    toolOwners: tools.owners,
    promptOwners: prompts.owners,
    resourceOwners: resources.owners,
    templateOwners: templates.owners,
    toolsOf,
  };
}

type Sources = Parameters<typeof buildCatalog>[0];
type Skip = (upstream: string, reason: string) => void;

function named(sources: Sources, kind: "tools" | "prompts", skip: Skip) {
  const items: Params[] = [];
  const owners = new Map<string, Owned>();
  for (const { source, lists } of sources) {
    for (const item of lists[kind]) {
      const raw = item.name;
      if (typeof raw !== "string" || (kind === "tools" && !isShown(raw, source))) continue;
      const final = finalName(raw, source.prefix);
      const taken = owners.get(final);
      if (taken !== undefined) {
        skip(source.name, `${final} is listed by "${taken.upstream}" and by "${source.name}"; the first one is used`);
        continue;
      }
      const readOnly = source.trusted && saysReadOnly(item);
      owners.set(final, { upstream: source.name, raw, readOnly, needs: scopesFor(source, readOnly) });
      const shown = kind === "tools" && !source.trusted ? distrusted(item) : item;
      items.push({ ...shown, name: final });
    }
  }
  return { items, owners };
}

function addressed(sources: Sources, kind: "resources" | "templates", field: string, skip: Skip) {
  const items: Params[] = [];
  const owners = new Map<string, string>();
  for (const { source, lists } of sources) {
    for (const item of lists[kind]) {
      const address = item[field];
      if (typeof address !== "string") continue;
      const taken = owners.get(address);
      if (taken !== undefined && taken !== source.name) {
        skip(source.name, `${address} is listed by "${taken}" and by "${source.name}"; the first one is used`);
        continue;
      }
      owners.set(address, source.name);
      items.push(item);
    }
  }
  return { items, owners };
}

/** What a tool of an unknown server answers may be anything, so calling it is reading as well. */
export function scopesFor({ scopeOfWrites }: Pick<Source, "scopeOfWrites">, readOnly: boolean): readonly Scope[] {
  if (readOnly) return ["read"];
  return scopeOfWrites === "log" ? ["log"] : ["read", "log"];
}

function saysReadOnly(tool: Params): boolean {
  const annotations = tool.annotations;
  return isRecord(annotations) && annotations.readOnlyHint === true;
}

/** Where an untrusted server's own annotations are kept, for people to read. */
export const META_CLAIMED = "iaip-dsl/claimed-annotations";

/**
 * A tool of an untrusted server, with hints that can only make a host more careful: it may change things, and destroy.
 * What the server claimed stays readable in `_meta`. The title is no hint and stays.
 */
export function distrusted(tool: Params): Params {
  const claimed = isRecord(tool.annotations) ? tool.annotations : undefined;
  const title = typeof claimed?.title === "string" ? { title: claimed.title } : {};
  const careful = { ...title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  const meta = isRecord(tool._meta) ? tool._meta : {};
  return {
    ...tool,
    annotations: careful,
    ...(claimed === undefined ? {} : { _meta: { ...meta, [META_CLAIMED]: claimed } }),
  };
}
