/** One wait for all callers: who comes while others already wait for the same trouble waits only for what is left. */
export class SharedDeadline {
  readonly #patience: number;
  #since: number | undefined;
  #last = 0;

  constructor(patience: number) {
    this.#patience = patience;
  }

  /** When whoever begins now is refused, on the clock of `performance.now()`. */
  end(patience = this.#patience): number {
    const now = performance.now();
    if (this.#since !== undefined && now - this.#last > this.#patience) this.#since = undefined;
    return Math.min(now + patience, (this.#since ?? now) + this.#patience);
  }

  failed(): void {
    this.#last = performance.now();
    this.#since ??= this.#last;
  }

  succeeded(): void {
    this.#since = undefined;
  }
}
