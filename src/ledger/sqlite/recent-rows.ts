import type { EventRow } from "../events/event-row.ts";

/** A write-ahead file is put into the database each 1,000 pages; these are more rows than fit there. */
const maxRows = 20_000;
const maxCharacters = 16 * 1024 * 1024;

/** The rows that were acknowledged last, for the case that the file loses them while this process lives. */
export class RecentRows {
  #rows: EventRow[] = [];
  #characters = 0;

  get all(): readonly EventRow[] {
    return this.#rows;
  }

  add(rows: readonly EventRow[]): void {
    this.#rows.push(...rows.slice(-maxRows));
    this.#characters += rows.slice(-maxRows).reduce((sum, row) => sum + sizeOf(row), 0);
    if (this.#rows.length <= maxRows && this.#characters <= maxCharacters) return;
    const half = Math.ceil(this.#rows.length / 2);
    this.#rows = this.#rows.slice(half);
    this.#characters = this.#rows.reduce((sum, row) => sum + sizeOf(row), 0);
  }

  clear(): void {
    this.#rows = [];
    this.#characters = 0;
  }
}

function sizeOf({ context, agent, concept }: EventRow): number {
  return 200 + context.length + agent.length + (concept?.length ?? 0);
}
