import { conceptContext } from "./concept-context.ts";
import { conceptLookup } from "./concept-lookup.ts";
import { conceptRelationship } from "./concept-relationship.ts";
import { conceptSearch } from "./concept-search.ts";
import { conceptSuggest } from "./concept-suggest.ts";
import { directionConcepts } from "./direction-concepts.ts";
import type { Tool } from "./tool.ts";
import { validateTerminology } from "./validate-terminology.ts";
import { wisdomLedgerLog } from "./wisdom-ledger-log.ts";

/** The tools, in the order in which they are listed. */
export const allTools: readonly Tool[] = [
  conceptLookup,
  conceptRelationship,
  conceptSearch,
  validateTerminology,
  conceptContext,
  directionConcepts,
  conceptSuggest,
  wisdomLedgerLog,
];
