/** A real process over the small surface: what a host starts, with timers and a noisy dependency as apps have them. */
import { appendFileSync } from "node:fs";
import { stderrLog } from "../../../src/base/log.ts";
import { localCaller } from "../../../src/core/concept/caller.ts";
import { serveMcpStdio } from "../../../src/mcp/stdio.ts";
import { endWhenDone } from "../end-when-done.ts";
import { arrayLedger, handSource, smallSurface } from "../small-surface.ts";

const log = stderrLog("debug");
const surface = smallSurface();
const ledger = arrayLedger();
const { source, turn } = handSource();
const kept = process.env.KEPT;
const server = serveMcpStdio({
  surface: () => surface,
  source,
  ledger: {
    ...ledger,
    record: async (event) => {
      if (kept !== undefined) appendFileSync(kept, `${event.context}\n`);
      return ledger.record(event);
    },
  },
  caller: localCaller(),
  log,
});
setInterval(turn, 20);
console.log("a dependency says hello");
process.stdout.write("so does another\n");
endWhenDone({ closed: server.closed, close: () => Promise.all([server.close(), ledger.close()]), graceMs: 900, log });
