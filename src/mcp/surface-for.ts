import type { Snapshot } from "../core/snapshot/snapshot.ts";
import { instructions, surfaceTitle } from "./instructions.ts";
import { prompts } from "./prompts.ts";
import { resources, templates } from "./resources.ts";
import type { Surface } from "./surface.ts";
import { conceptContext } from "./tools/concept-context.ts";
import { conceptLookup } from "./tools/concept-lookup.ts";
import { conceptRelationship } from "./tools/concept-relationship.ts";
import { conceptSearch } from "./tools/concept-search.ts";
import { conceptSuggest } from "./tools/concept-suggest.ts";
import { directionConcepts } from "./tools/direction-concepts.ts";
import { validateTerminology } from "./tools/validate-terminology.ts";
import { wisdomLedgerLog } from "./tools/wisdom-ledger-log.ts";

/** Everything clients see of the vocabulary; the tools' enums follow it. Made once a revision, by the caller. */
export function surfaceFor(
  { vocabulary }: Pick<Snapshot, "vocabulary">,
  version: string,
  docs?: (rule: string) => string,
): Surface {
  return {
    name: "iaip-dsl",
    title: surfaceTitle(vocabulary),
    version,
    instructions,
    tools: [
      conceptLookup,
      conceptRelationship,
      conceptSearch(vocabulary),
      validateTerminology(docs),
      conceptContext,
      directionConcepts(vocabulary),
      conceptSuggest,
      wisdomLedgerLog,
    ],
    resources,
    templates,
    prompts,
  };
}
