/** The eight levels of `logging/setLevel`, least first. */
export const messageLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
export type MessageLevel = (typeof messageLevels)[number];

/** What one client wants to hear without asking again. A request without a lasting connection gets a fresh one. */
export class Connection {
  readonly subscriptions = new Set<string>();
  #level: MessageLevel | undefined;

  /** A peer that subscribes without end is refused, not remembered. */
  static readonly subscriptionLimit = 1000;

  /** `undefined` until the client sets one: nothing is sent before. */
  get level(): MessageLevel | undefined {
    return this.#level;
  }

  setLevel(level: MessageLevel): void {
    this.#level = level;
  }
}

export function isMessageLevel(value: unknown): value is MessageLevel {
  return messageLevels.some((level) => level === value);
}

export function isLoud(level: MessageLevel, least: MessageLevel | undefined): boolean {
  return least !== undefined && messageLevels.indexOf(level) >= messageLevels.indexOf(least);
}
