import { writeSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openLedger } from "../../../src/ledger/open-ledger.ts";
import type { WriterOptions } from "./child.ts";

/** The program that `startWriter` runs; also run on its own from `scripts/bench/`. */
const {
  where,
  agent,
  count = Number.POSITIVE_INFINITY,
  callers,
  patience,
} = JSON.parse(process.argv[2] ?? "") as WriterOptions;
const ledger = openLedger(where, {
  log: () => {},
  now: () => new Date(),
  ...(patience === undefined ? {} : { patience }),
});
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let started = 0;

await Promise.all(Array.from({ length: callers }, caller));
say(`pause ${Math.round(delay.max / 1e6)}`);
await ledger.close();

async function caller(): Promise<void> {
  while (started < count) {
    const n = started++;
    try {
      const { eventId } = await ledger.record({
        concept: `c${n % 7}`,
        agent,
        context: `use ${n}`,
        session: `${agent}-${n % 3}`,
      });
      say(`ack ${eventId}`);
    } catch (error) {
      say(`refused ${(error as Error).message}`);
      if (count === Number.POSITIVE_INFINITY) continue;
      return;
    }
  }
}

/** At once: a line that was said is read even when this process is killed right after. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
