import type { Log } from "../base/log.ts";
import type { LedgerEvent } from "./events/event.ts";
import { contextLimit, namesProblem } from "./events/event-check.ts";
import { eventId } from "./events/event-id.ts";
import { type Ledger, LedgerUnavailable } from "./port.ts";

export interface QueryLogOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** Whether the text of a query may be kept; without it `context` is always empty. */
  readonly keepText: boolean;
  /** Longest time an event waits in memory, in milliseconds. */
  readonly every?: number;
  /** Events that may wait; more are dropped and counted. */
  readonly most?: number;
}

/** How often the ledger is told that logging is still on, in milliseconds. */
const markEvery = 60_000;
const batchSize = 2_000;

/**
 * Automatic events of the query tools, for those who opted in. Taking one costs the answer a push onto a list; the list
 * goes to the ledger in batches, and when the ledger cannot keep up the newest are dropped and counted, never waited for.
 */
export class QueryLog {
  readonly #ledger: Ledger;
  readonly #options: Required<QueryLogOptions>;
  readonly #run: string;
  readonly #from: string;
  #waiting: LedgerEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #noted = 0;
  #dropped = 0;
  #marked: { readonly at: number; readonly dropped: number } | undefined;
  #isReported = false;

  constructor(ledger: Ledger, options: QueryLogOptions) {
    this.#ledger = ledger;
    this.#options = { every: 1_000, most: 10_000, ...options };
    const from = options.now();
    this.#run = eventId(from);
    this.#from = from.toISOString();
    this.#timer = this.#soon();
  }

  /** Events that were dropped in this run. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether the text of a query is worth passing on. */
  get keepsText(): boolean {
    return this.#options.keepText;
  }

  /** Takes an event of a query; never throws and never waits. */
  note(event: LedgerEvent): void {
    if (this.#waiting.length >= this.#options.most || namesProblem(event) !== undefined) {
      this.#dropped++;
      return;
    }
    const at = this.#options.now().toISOString();
    this.#waiting.push({
      ...event,
      context: this.#textOf(event),
      id: `${this.#run}-${String(++this.#noted).padStart(9, "0")}`,
      at,
    });
    this.#timer ??= this.#soon();
  }

  /** Settles when what was noted is durable, or cannot be now. */
  async flush(): Promise<void> {
    await this.#flushing;
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  /** Writes what waits and the end of the logging period; to be called before the ledger is closed. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#marked = undefined;
    await this.flush();
    clearTimeout(this.#timer);
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
  }

  #textOf({ context }: LedgerEvent): string {
    if (!this.#options.keepText || Buffer.byteLength(context, "utf8") > contextLimit) return "";
    return context;
  }

  #soon(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, this.#options.every);
    timer.unref();
    return timer;
  }

  async #flushAll(): Promise<void> {
    try {
      await this.#mark();
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, batchSize);
        await this.#ledger.recordBatch(batch);
        this.#waiting.splice(0, batch.length);
      }
    } catch (error) {
      this.#tell(error);
      this.#timer ??= this.#soon();
    }
  }

  async #mark(): Promise<void> {
    const now = this.#options.now();
    const due = this.#marked === undefined || now.getTime() - this.#marked.at >= markEvery;
    if (!due && this.#marked?.dropped === this.#dropped) return;
    await this.#ledger.markLogging(this.#run, { from: this.#from, to: now.toISOString(), dropped: this.#dropped });
    this.#marked = { at: now.getTime(), dropped: this.#dropped };
  }

  #tell(error: unknown): void {
    const isExpected = error instanceof LedgerUnavailable;
    if (this.#isReported && isExpected) return;
    this.#isReported = true;
    const message =
      "Uses by queries cannot be written now; they wait, and beyond a bound they are dropped and counted.";
    this.#options.log(isExpected ? "warn" : "error", message, { why: String(error) });
  }
}
