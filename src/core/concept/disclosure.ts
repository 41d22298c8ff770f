import type { Caller } from "./caller.ts";
import type { Concept, Facet } from "./concept.ts";

declare const disclosed: unique symbol;

/**
 * What one caller is given of one concept. Renderers and serializers take nothing else, and only this file makes one:
 * withheld facets are absent from `concept`, so what was not disclosed cannot be printed, counted or searched.
 */
export interface Disclosed {
  readonly [disclosed]: true;
  readonly concept: Concept;
  readonly disclosure: "full" | "partial" | "withheld";
  /** Names of the facets that were left out. */
  readonly withheld: readonly string[];
  /** Who to turn to; set whenever something is withheld, withdrawn or only pointed to. */
  readonly notice: string | null;
}

type Grants = Pick<Caller, "protocols">;

const allFacets = [
  "definition",
  "indigenous_connections",
  "ocap",
  "governance",
  "relations",
  "usage_contexts",
  "examples",
  "sources",
] as const;

/**
 * The one decision of what a caller is given, first rule first:
 *
 * 1. existence withheld and not granted: nothing, as if there were no such concept;
 * 2. withdrawn: the notice of the withdrawal;
 * 3. a boundary: its name and whom to ask;
 * 4. granted (every protocol it names), or access `open`, or a pointer that no protocol guards: all of it;
 * 5. access `restricted`: its names and whom to ask; `ceremony_required`: its name and whom to ask.
 *
 * What it relates to is left in where `exists` says that the caller may know of it.
 */
export function disclose(
  concept: Concept,
  caller: Grants,
  exists: (id: string) => boolean = () => true,
): Disclosed | undefined {
  if (!isKnownTo(concept, caller)) return undefined;
  if (concept.withdrawn) return redacted(concept, "withheld", withdrawnNotice(concept));
  if (concept.tier === "boundary") return boundary(concept);
  const isPointer = concept.tier === "pointer";
  if (isOpen(concept) || isGranted(concept, caller))
    return make(relatedOnly(concept, exists), "full", [], isPointer ? pointerNotice(concept) : null);
  const kind = concept.ocap.access === "restricted" ? "partial" : "withheld";
  return redacted(concept, kind, restrictedNotice(concept));
}

/** Whether this caller may know that the concept exists. */
export function isKnownTo(concept: Concept, caller: Grants): boolean {
  return concept.existence === "public" || isGranted(concept, caller);
}

/** Protocols that decide what callers are given of this concept; none where every caller is given the same. */
export function decidingProtocols(concept: Concept): readonly string[] {
  const isSame = concept.withdrawn !== null || concept.tier === "boundary" || isOpen(concept);
  return concept.existence === "public" && isSame ? [] : concept.governance.protocols;
}

function isOpen({ ocap, tier, governance }: Concept): boolean {
  return ocap.access === "open" || (tier === "pointer" && governance.protocols.length === 0);
}

/** Whether grants could ever open this concept. A guarded concept that names no protocol opens to nobody. */
function isGranted(concept: Concept, caller: Grants): boolean {
  const needed = concept.governance.protocols;
  return needed.length > 0 && needed.every((it) => caller.protocols.has(it));
}

function make(
  concept: Concept,
  disclosure: Disclosed["disclosure"],
  withheld: readonly string[],
  notice: string | null,
): Disclosed {
  return { concept, disclosure, withheld, notice } as unknown as Disclosed;
}

/** The same concept where nothing has to go, so that a reload can tell what changed. */
function relatedOnly(concept: Concept, exists: (id: string) => boolean): Concept {
  const relations = concept.relations.filter((it) => exists(it.to));
  const replaced_by = concept.replaced_by.filter(exists);
  const isWhole = relations.length === concept.relations.length && replaced_by.length === concept.replaced_by.length;
  return isWhole ? concept : { ...concept, relations, replaced_by };
}

function boundary(concept: Concept): Disclosed {
  const { concept: bare } = redacted(concept, "withheld", "");
  const { names, aliases } = concept;
  return make({ ...bare, names, aliases }, "withheld", allFacets, boundaryNotice(concept));
}

function redacted(concept: Concept, disclosure: "partial" | "withheld", notice: string): Disclosed {
  const nameOnly = disclosure === "withheld";
  const { level } = concept.indigenous_connections.ceremonial;
  const empty: Readonly<Partial<Record<Facet, never>>> = {};
  return make(
    {
      ...concept,
      aliases: nameOnly ? [] : concept.aliases,
      search_names: [],
      names: nameOnly ? [] : concept.names,
      status: "candidate",
      replaced_by: [],
      contested: null,
      definition: null,
      indigenous_connections: {
        two_eyed_seeing: null,
        polycentric: null,
        relational: null,
        ceremonial: { level, note: null },
        empty,
      },
      existence: "public",
      ocap: {
        relevance: concept.ocap.relevance,
        ownership: null,
        control: null,
        access: concept.ocap.access,
        possession: null,
        status: "not-assessed",
      },
      governance: { care: [], protocols: [], agent_may: [], agent_may_not: [], reviewed_by_holder: null },
      relations: [],
      usage_contexts: [],
      usage_tags: [],
      examples: [],
      sources: [],
      terminology: [],
    },
    disclosure,
    nameOnly ? ["names", "aliases", ...allFacets] : allFacets,
    notice,
  );
}

function withdrawnNotice(concept: Concept): string {
  const { at, reason, contact } = concept.withdrawn!;
  return `This concept was withdrawn on ${at}: ${unstopped(reason)}. Its content is no longer given here. To ask about it: ${contact}.`;
}

function pointerNotice(concept: Concept): string {
  return `This is a pointer, not a teaching. Learn from the holders: ${unstopped(concept.holder)}.`;
}

function restrictedNotice(concept: Concept): string {
  return `This is held by ${unstopped(concept.holder)}. It is not told here; please ask them.`;
}

function boundaryNotice(concept: Concept): string {
  return `Not told here. Whom to ask: ${unstopped(concept.holder)}.`;
}

/** Without the full stop that the sentence around it brings. */
function unstopped(text: string): string {
  return text.replace(/[.\s]+$/, "");
}
