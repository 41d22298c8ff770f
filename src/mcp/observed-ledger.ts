import type { Ledger } from "../ledger/port.ts";

/** The same ledger; `wrote` hears of each event that was to be recorded through it, once it is durable or has failed. */
export function observedLedger(
  ledger: Ledger,
  wrote: (outcome: "recorded" | "failed", concept: string | undefined) => void,
): Ledger {
  return new Proxy(ledger, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== "record") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<Ledger["record"]>) =>
        target.record(...args).then(
          (recorded) => {
            wrote("recorded", args[0].concept);
            return recorded;
          },
          (error: unknown) => {
            wrote("failed", args[0].concept);
            throw error;
          },
        );
    },
  });
}
