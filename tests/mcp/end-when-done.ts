import type { Log } from "../../src/base/log.ts";

export interface Ending {
  /** Settles when there is nobody left to serve; absent where only a signal ends the process. */
  readonly closed?: Promise<unknown>;
  /** Closes everything that was opened, the ledger last. */
  readonly close: () => Promise<unknown>;
  /** Milliseconds that `close` may take; the process is then ended whatever is left. */
  readonly graceMs: number;
  readonly log: Log;
}

/**
 * Ends this process when the client is gone or a signal asks for it, whatever timers and watchers run. A second signal
 * ends it at once. From now on nothing that goes wrong with stderr can hold it up either.
 */
export function endWhenDone({ closed, close, graceMs, log }: Ending): void {
  let ending = false;
  const end = async (why: string): Promise<void> => {
    ending = true;
    log("info", `ending: ${why}`);
    setTimeout(() => process.exit(1), graceMs);
    await close().catch((error: unknown) => log("error", "closing failed", { reason: String(error) }));
    process.exit(0);
  };
  process.stderr.on("error", () => {});
  const onSignal = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1);
    void end(signal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  void closed?.then(() => {
    if (!ending) void end("the client is gone");
  });
}
