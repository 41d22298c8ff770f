import { type Ledger, LedgerUnavailable } from "./port.ts";

/** A ledger for servers that run without one: every act is refused with the reason, and questions go on elsewhere. */
export function noLedger(reason = "This server keeps no ledger; start it with --ledger FILE to keep one."): Ledger {
  const refuse = () => Promise.reject(new LedgerUnavailable(`${reason} Nothing was recorded.`));
  const unread = () => Promise.reject(new LedgerUnavailable(reason));
  return {
    where: "no ledger",
    record: refuse,
    recordBatch: refuse,
    summary: unread,
    // biome-ignore lint/correctness/useYield: an iteration that only refuses
    events: async function* () {
      throw new LedgerUnavailable(reason);
    },
    countEvents: unread,
    forget: unread,
    received: unread,
    recordVersions: refuse,
    history: unread,
    markLogging: refuse,
    check: unread,
    backup: unread,
    close: () => Promise.resolve(),
  };
}
