import type { Ledger } from "../ledger/port.ts";

/** The same ledger; `recorded` is called after each event that became durable through it. */
export function observedLedger(ledger: Ledger, recorded: () => void): Ledger {
  return new Proxy(ledger, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== "record") return typeof value === "function" ? value.bind(target) : value;
      return async (...args: Parameters<Ledger["record"]>) => {
        const told = await target.record(...args);
        recorded();
        return told;
      };
    },
  });
}
