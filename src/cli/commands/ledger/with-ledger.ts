import { resolve } from "../../../core/queries/resolve.ts";
import type { CallerView } from "../../../core/snapshot/view.ts";
import type { EventFilter } from "../../../ledger/events/event.ts";
import { type Ledger, LedgerMisconfigured, LedgerRefused, LedgerUnavailable } from "../../../ledger/port.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";

export interface LedgerCommand {
  readonly ledger: Ledger;
  /** The vocabulary as the person at this machine may see it. */
  readonly view: CallerView;
  /** Concepts whose existence is withheld from the person: as if they were not there. */
  readonly hidden: ReadonlySet<string>;
  /** Whether the person may see what was said of a concept. What the vocabulary no longer has, nobody can judge. */
  readonly mayRead: (concept: string) => boolean;
  /** The id that a name stands for; as given where the vocabulary has none, since the ledger may know it from before. */
  readonly idOf: (concept: string) => string;
}

/** Filters of the ledger commands, as the command line gives them. */
export interface FilterArgs {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly concept?: string | undefined;
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
}

/** Runs a command over the vocabulary and the ledger. What the ledger cannot do is said on stderr, exit 1. */
export async function withLedger(
  settings: Settings,
  io: Io,
  act: (command: LedgerCommand) => Promise<number>,
): Promise<number> {
  const { workspace, ledger, caller } = await open(settings, { watch: false });
  try {
    await workspace.ready;
    const view = workspace.snapshot.viewFor(caller);
    const mayRead = (concept: string) => view.concepts.get(concept)?.disclosure === "full";
    const hidden = view.unknown;
    return await act({ ledger, view, hidden, mayRead, idOf: (concept) => idOf(view, concept) });
  } catch (error) {
    if (!(error instanceof LedgerUnavailable || error instanceof LedgerRefused)) throw error;
    io.stderr.write(`iaip-dsl: ${error.message}\n`);
    return error instanceof LedgerMisconfigured ? exitCodes.usage : exitCodes.found;
  } finally {
    await ledger.close();
    await workspace.dispose();
  }
}

function idOf(view: CallerView, concept: string): string {
  if (view.concepts.has(concept)) return concept;
  const resolved = resolve(view, concept);
  return resolved.kind === "found" ? resolved.concept.concept.id : concept;
}

/** The filter, its days checked. */
export function readFilter({ since, until, concept, agent, session }: FilterArgs): EventFilter {
  return {
    ...(since === undefined ? {} : { since: day("--since", since) }),
    ...(until === undefined ? {} : { until: day("--until", until) }),
    ...(concept === undefined ? {} : { concept }),
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
  };
}

function day(flag: string, value: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (!isDay) throw new UsageError(`${flag} takes a day as 2026-09-30 (UTC), not "${value}".`);
  return value;
}
