import { summaryText } from "../../../ledger/summary/summary-text.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { type FilterArgs, readFilter, withLedger } from "./with-ledger.ts";

export interface SummaryArgs extends FilterArgs {
  readonly direction?: string | undefined;
  readonly category?: string | undefined;
  readonly json: boolean;
}

/** `ledger summary`: use of the files, in words or as JSON. */
export function runLedgerSummary(args: SummaryArgs, settings: Settings, io: Io): Promise<number> {
  const filter = readFilter(args);
  return withLedger(settings, io, async ({ ledger, view, hidden, idOf }) => {
    const concepts = [...view.concepts.values()].map(({ concept: { id, direction, category } }) => ({
      id,
      direction,
      category,
    }));
    const summary = await ledger.summary({
      ...filter,
      ...(filter.concept === undefined ? {} : { concept: idOf(filter.concept) }),
      concepts,
      hidden,
      ...(args.direction === undefined ? {} : { direction: args.direction }),
      ...(args.category === undefined ? {} : { category: args.category }),
    });
    print(io, args.json ? JSON.stringify(summary, undefined, 2) : summaryText(summary));
    return exitCodes.ok;
  });
}
