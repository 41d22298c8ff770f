import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../core/concept/caller.ts";
import { announce } from "./announce.ts";
import { bindV2 } from "./bind-v2.ts";
import { surfaceChanges } from "./changes.ts";
import { observedLedger } from "./observed-ledger.ts";
import type { ServerInfo } from "./protocol/capabilities.ts";
import { Connection } from "./protocol/connection.ts";
import type { Serving } from "./protocol/request.ts";
import { StdioWire, type Streams } from "./stdio-wire.ts";
import { takeStdout } from "./stdout-guard.ts";

export interface StdioServing extends Serving {
  readonly caller: Caller;
  /** What the handshake says; with it `surface` is first called once the source is ready. */
  readonly serverInfo?: ServerInfo;
  /** The process's own stdin and stdout when absent; stdout is then the protocol's alone. */
  readonly streams?: Streams;
}

/**
 * Serves one client on two streams, in whichever revision it opens with. The handshake is answered at once; what needs
 * the vocabulary waits for the source. `closed` settles when the client's stream ended or the client is gone, and
 * answers under way had time to end: whoever owns the process then closes the ledger and exits.
 */
export function serveMcpStdio(options: StdioServing): {
  readonly closed: Promise<void>;
  close(): Promise<void>;
} {
  const { caller, serverInfo, streams = { input: process.stdin, output: takeStdout() } } = options;
  const wire = new StdioWire(streams, options.log);
  const serving: Serving = {
    ...options,
    ledger: observedLedger(options.ledger, (outcome, concept) => {
      if (outcome === "recorded") changes.recorded(concept);
    }),
  };
  const changes = surfaceChanges(serving);
  const handle = serveStdio(
    ({ era }) => {
      const connection = new Connection();
      const callerOf = () => caller;
      const info = serverInfo === undefined ? {} : { serverInfo };
      const server = bindV2({ serving, era, delivers: "changes", connection, callerOf, ...info });
      const stop = changes.listen(callerOf, (change) =>
        announce(change, connection, era, (method, params) =>
          server.notification(params === undefined ? { method } : { method, params }),
        ),
      );
      server.onclose = stop;
      return server;
    },
    { transport: wire, onerror: (error) => options.log("debug", error.message) },
  );
  const closed = new Promise<void>((resolve) => {
    const sdk = wire.onclose;
    wire.onclose = () => {
      sdk?.();
      changes.close();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}
