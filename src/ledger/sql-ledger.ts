import type { Log } from "../base/log.ts";
import type { EventFilter, EventQuestion, LedgerEvent, LoggingPeriod, StoredEvent } from "./events/event.ts";
import { eventProblem, useProblem } from "./events/event-check.ts";
import { eventRow, storedEvent } from "./events/event-row.ts";
import { allOf, eventWhere, outside } from "./events/event-where.ts";
import { forget } from "./forget.ts";
import { type BatchRecorded, type Ledger, LedgerRefused, LedgerUnavailable, type Recorded } from "./port.ts";
import { received } from "./received.ts";
import type { CheckReport, ConceptContent, ConceptVersion, ForgetRequest, Forgotten, Received } from "./records.ts";
import { count } from "./sql.ts";
import type { LedgerStore, Place } from "./store.ts";
import { countPicked } from "./summary/counts.ts";
import type { Summary, SummaryQuestion } from "./summary/summary.ts";
import { compareCounts } from "./summary/summary-check.ts";
import { summarize } from "./summary/summary-query.ts";
import { historyOf, recordVersions } from "./versions/versions.ts";
import { WriteQueue } from "./write-queue.ts";

export interface SqlLedgerOptions {
  readonly log: Log;
  readonly now: () => Date;
  readonly newId: (now: Date) => string;
  /** Uncounted events that start a fold by themselves; a summary folds anyway. */
  readonly foldAfter: number;
}

/** Rows of a page of events. */
const pageSize = 2_000;
/** Milliseconds that closing waits for another program's lock; hosts kill a server that is slow to end. */
const closeWithin = 500;
/** Milliseconds that a fold waits for another program's lock; whoever asks for a summary waits with it. */
const foldPatience = 1_000;
/** Events that one fold takes at most; `pickUncounted` of each store keeps to it. */
const foldSize = 20_000;

/** The port over one store: all that is the same in SQLite and PostgreSQL. */
export class SqlLedger implements Ledger {
  readonly where: string;
  readonly #store: LedgerStore;
  readonly #queue: WriteQueue;
  readonly #options: SqlLedgerOptions;
  #uncounted = 0;
  #folding: Promise<boolean> | undefined;
  #closed = false;

  constructor(store: LedgerStore, options: SqlLedgerOptions) {
    this.where = store.where;
    this.#store = store;
    this.#options = options;
    this.#queue = new WriteQueue(store);
  }

  async record(event: LedgerEvent): Promise<Recorded> {
    const row = this.#row(event, useProblem(event));
    const { totals } = await this.#queue.add(row);
    this.#wrote(1);
    return { eventId: event.id ?? row.id, at: row.at, storedIn: this.#store.kind, totals };
  }

  async recordBatch(events: readonly LedgerEvent[]): Promise<BatchRecorded> {
    if (events.length === 0) {
      await this.#store.write([]);
      return { written: 0, known: 0 };
    }
    const rows = events.map((event) => this.#row(event, eventProblem(event)));
    const { known } = await this.#store.insert(rows, "no-totals");
    this.#wrote(events.length);
    const old = known.filter((each) => each).length;
    return { written: events.length - old, known: old };
  }

  async summary(question: SummaryQuestion): Promise<Summary> {
    const kept = await this.#foldNow();
    return summarize(this.#store, question, kept ? "kept" : "recount");
  }

  async *events(question: EventQuestion): AsyncIterable<readonly StoredEvent[]> {
    const { hidden = new Set<string>() } = question;
    const where = allOf([eventWhere(question, hidden), ...(hidden.size > 0 ? [outside("other", hidden)] : [])]);
    let place: Place | undefined;
    do {
      const [rows = []] = await this.#store.read([this.#store.page(where, place, pageSize)]);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => storedEvent(row, question.mayRead));
      place = rows.length < pageSize ? undefined : this.#store.placeOf(last);
    } while (place !== undefined);
  }

  async countEvents(filter: EventFilter): Promise<number> {
    const { sql, values } = eventWhere(filter);
    const [rows] = await this.#store.read([{ sql: `select count(*) as n from event where ${sql}`, values }]);
    return count(rows?.[0]);
  }

  async forget(request: ForgetRequest): Promise<Forgotten> {
    this.#refuseWhenClosed();
    await this.#queue.idle();
    await this.#foldNow();
    return forget(this.#store, request, this.#stamp());
  }

  received(concept: string): Promise<Received> {
    return received(this.#store, concept);
  }

  recordVersions(concepts: readonly ConceptContent[]): Promise<readonly ConceptVersion[]> {
    return recordVersions(this.#store, concepts, () => this.#stamp());
  }

  history(concept: string): Promise<readonly ConceptVersion[]> {
    return historyOf(this.#store, concept);
  }

  async markLogging(run: string, { from, to, dropped }: LoggingPeriod): Promise<void> {
    const sql = `insert into logging_period (run, from_at, to_at, dropped) values (?, ?, ?, ?)
      on conflict (run) do update set to_at = excluded.to_at, dropped = excluded.dropped`;
    await this.#store.write([{ sql, values: [run, from, to, dropped] }]);
  }

  async check(): Promise<CheckReport> {
    const { problems, schemaVersion, durability } = await this.#store.check();
    const differences = problems.length > 0 ? [] : await this.#compare();
    const events = await this.countEvents({});
    const all = [...problems, ...differences];
    return { ok: all.length === 0, problems: all, events, schemaVersion, durability };
  }

  backup(file: string): Promise<{ readonly file: string; readonly bytes: number }> {
    return this.#store.backup(file);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const late = setTimeout(() => this.#store.giveUp(), closeWithin);
    await this.#queue.idle();
    await this.#folding?.catch(() => undefined);
    clearTimeout(late);
    await this.#store.close();
  }

  async #compare(): Promise<readonly string[]> {
    return (await this.#foldNow()) ? compareCounts(this.#store) : [];
  }

  #row(event: LedgerEvent, problem: string | undefined) {
    this.#refuseWhenClosed();
    if (problem !== undefined) throw new LedgerRefused(`${problem} Nothing was recorded.`);
    const { id, at } = event;
    return eventRow(event, id !== undefined && at !== undefined ? { id, at } : this.#stamp());
  }

  #stamp(): { readonly id: string; readonly at: string } {
    const now = this.#options.now();
    return { id: this.#options.newId(now), at: now.toISOString() };
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new LedgerUnavailable("The ledger is closed. Nothing was recorded.");
  }

  #wrote(events: number): void {
    this.#uncounted += events;
    if (this.#uncounted < this.#options.foldAfter || this.#folding || this.#closed) return;
    this.#uncounted = 0;
    this.#fold().catch((error: Error) => this.#options.log("error", "Counting uses failed.", { stack: error.stack }));
  }

  /** A fold that begins after this call: one that is under way may have looked before the last events came. */
  async #foldNow(): Promise<boolean> {
    await this.#folding?.catch(() => undefined);
    return this.#fold();
  }

  /** Brings the kept counts up to the last event. `false` when the store cannot write now: then counting starts from the rows. */
  #fold(): Promise<boolean> {
    this.#folding ??= this.#foldAll().finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  async #foldAll(): Promise<boolean> {
    try {
      const { anyUncounted, pickUncounted, unpick } = this.#store;
      for (;;) {
        const [any] = await this.#store.read([anyUncounted]);
        if (!any || any.length === 0) return true;
        const picked = { sql: "select count(*) as n from picked" };
        const done = await this.#store.write([...pickUncounted, picked, ...countPicked(1), ...unpick], foldPatience);
        if (count(done[pickUncounted.length]?.[0]) < foldSize) return true;
      }
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      this.#options.log("debug", "The kept counts of the ledger could not be brought up to date.", {
        why: error.message,
      });
      return false;
    }
  }
}
