import type { Caller } from "./caller.ts";
import type { Concept } from "./concept.ts";

declare const disclosed: unique symbol;

/**
 * What one caller may be told of one concept. Renderers and serializers take nothing else, and only this file makes
 * one: withheld facets are absent from `concept`, so what was not disclosed cannot be told, counted or searched.
 */
export interface Disclosed {
  readonly [disclosed]: true;
  readonly concept: DisclosedConcept;
  readonly disclosure: "full" | "partial" | "withheld";
  /** Names of the facets that were left out. */
  readonly withheld: readonly string[];
  /** Who to turn to; set whenever something is withheld, withdrawn or only pointed to. */
  readonly notice: string | null;
}

export type DisclosedConcept = Omit<Concept, "definition"> & { readonly definition: string | null };

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

/** The one decision of what may be told: from the concept's access, its protocols and the caller's grants. */
export function disclose(concept: Concept, caller: Pick<Caller, "protocols">): Disclosed {
  if (concept.withdrawn) return redacted(concept, "withheld", withdrawnNotice(concept));
  if (concept.tier === "pointer") return make(concept, "full", [], pointerNotice(concept));
  if (concept.ocap.access === "open" || isGranted(concept, caller)) return make(concept, "full", [], null);
  const kind = concept.ocap.access === "restricted" ? "partial" : "withheld";
  return redacted(concept, kind, restrictedNotice(concept));
}

/** Whether every caller is told the same of this concept. */
export function isOpenToAll(concept: Concept): boolean {
  return concept.withdrawn !== null || concept.tier === "pointer" || concept.ocap.access === "open";
}

/** Whether grants could ever open this concept. A restricted concept that names no protocol opens to nobody. */
function isGranted(concept: Concept, caller: Pick<Caller, "protocols">): boolean {
  const needed = concept.governance.protocols;
  return needed.length > 0 && needed.every((it) => caller.protocols.has(it));
}

function make(
  concept: DisclosedConcept,
  disclosure: Disclosed["disclosure"],
  withheld: readonly string[],
  notice: string | null,
): Disclosed {
  return { concept, disclosure, withheld, notice } as unknown as Disclosed;
}

function redacted(concept: Concept, disclosure: "partial" | "withheld", notice: string): Disclosed {
  const nameOnly = disclosure === "withheld";
  return make(
    {
      ...concept,
      aliases: nameOnly ? [] : concept.aliases,
      names: nameOnly ? [] : concept.names,
      contested: null,
      definition: null,
      indigenous_connections: {
        two_eyed_seeing: null,
        polycentric: null,
        relational: null,
        ceremonial: { level: concept.indigenous_connections.ceremonial.level, note: null },
      },
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
  return `This concept was withdrawn on ${at}: ${reason.replace(/[.\s]+$/, "")}. Its content is no longer told here. To ask about it: ${contact}.`;
}

function pointerNotice(concept: Concept): string {
  return `This is a pointer, not a teaching. Learn from the holders: ${concept.holder.replace(/[.\s]+$/, "")}.`;
}

function restrictedNotice(concept: Concept): string {
  return `This is held by ${concept.holder.replace(/[.\s]+$/, "")}. It is not told here; please ask them.`;
}
