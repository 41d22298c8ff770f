import type { Readable, Writable } from "node:stream";
import { jsonLines } from "../../base/json-lines.ts";
import { isRecord, type JsonRpcMessage } from "../../base/json-rpc.ts";
import type { Log } from "../../base/log.ts";
import type { Caller } from "../../core/concept/caller.ts";
import { atMost } from "../upstream/timing.ts";
import type { Backend } from "./client.ts";

/** How long requests under way may still be answered after the client's stream has ended. */
const lastAnswersMs = 2_000;

export interface StdioEndpoint {
  /** Settles when the client's stream has ended. The backend is left open. */
  readonly closed: Promise<void>;
}

/** One client on a pair of streams, one message a line. */
export function openStdioEndpoint(
  backend: Backend,
  streams: { readonly input: Readable; readonly output: Writable },
  { caller, log }: { readonly caller: Caller; readonly log: Log },
): StdioEndpoint {
  const { input, output } = streams;
  const send = (message: JsonRpcMessage) => {
    if (!output.writable) return false;
    output.write(`${JSON.stringify(message)}\n`);
    return true;
  };
  const client = backend.openClient({ push: send, who: "local", caller, alone: true });
  const reply = { send, end: () => {} };
  const receive = (parsed: unknown) => {
    for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
      if (isRecord(one)) client.receive(one as unknown as JsonRpcMessage, reply);
      else send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "a message is a JSON object" } });
    }
  };
  const lines = jsonLines(receive, (_, reason) => {
    log("warn", `a line from the client was skipped: ${reason}`);
    send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: reason } });
  });
  const closed = new Promise<void>((resolve) => {
    const end = () => void client.close().then(resolve);
    input.on("data", (chunk: Buffer) => lines.append(chunk));
    // Requests that came before the end are still answered, within bounds.
    input.once("end", () => void atMost(client.quiet(), lastAnswersMs).then(end));
    input.once("close", () => {
      if (!input.readableEnded) end();
    });
    output.once("close", end);
    output.on("error", end);
  });
  return { closed };
}
