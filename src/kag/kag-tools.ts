import type { Vocabulary } from "../core/concept/vocabulary.ts";
import type { ToolDefinition } from "../mcp/surface.ts";
import { type KagOptions, makeKagHost } from "./kag-host.ts";
import { kagReason } from "./tools/kag-reason.ts";
import { kagSchema } from "./tools/kag-schema.ts";
import { kagSolve } from "./tools/kag-solve.ts";
import { kagStatus } from "./tools/kag-status.ts";
import { termsOf } from "./tools/vocabulary-terms.ts";

/** Makes the four tools for a vocabulary; their descriptions hold its types and relations. Call it once for each revision. */
export function kagToolsFor(options: KagOptions): (vocabulary: Vocabulary) => readonly ToolDefinition[] {
  const host = makeKagHost(options);
  return (vocabulary) => {
    const terms = termsOf(vocabulary, host.namespace({ vocabulary }));
    return [kagSolve(host), kagSchema(host, terms), kagReason(host, terms), kagStatus(host)];
  };
}
