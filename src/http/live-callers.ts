import type { ServerResponse } from "node:http";

/** How often tokens behind open responses are looked at, in milliseconds. */
const sweepMs = 250;

/** Responses that are open, and whether their callers still may be answered: those of a revoked or expired token end. */
export class LiveCallers {
  readonly #open = new Map<ServerResponse, () => boolean>();
  #sweep: NodeJS.Timeout | undefined;

  follow(response: ServerResponse, isCurrent: () => boolean): void {
    this.#open.set(response, isCurrent);
    response.once("close", () => this.#open.delete(response));
    this.#sweep ??= setInterval(() => this.#endStale(), sweepMs).unref();
  }

  close(): void {
    clearInterval(this.#sweep);
    this.#open.clear();
  }

  #endStale(): void {
    for (const [response, isCurrent] of this.#open) if (!isCurrent()) response.destroy();
  }
}
