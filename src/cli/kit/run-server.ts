import { setTimeout } from "node:timers/promises";
import type { Log } from "../../base/log.ts";
import { exitCodes, UsageError } from "./io.ts";

/** One way in to a server: a protocol on stdio, or a listener. */
export interface Endpoint {
  readonly name: string;
  /** `stdio`, or where it listens. */
  readonly address: string;
  /** Settles when its only client is gone, with the exit code if it knows one; absent for listeners. */
  readonly closed?: Promise<unknown>;
  close(): unknown;
}

export interface Server {
  readonly log: Log;
  /** Opened one after another. When one cannot be, those before it are closed. */
  readonly endpoints: readonly (() => Promise<Endpoint>)[];
  /** Once all are open: says where they are, and starts what goes on beside them. Gives what ends that. */
  readonly started?: (endpoints: readonly Endpoint[]) => Promise<(() => void) | undefined>;
  /** Ends the server like a client that is gone: another process that it belongs to. */
  readonly ended?: Promise<number>;
  /** What stands behind the endpoints, closed after them and in this order: what is not written yet comes first. */
  readonly behind: readonly (() => unknown)[];
  /** How long everything may take to flush and close, in milliseconds. */
  readonly maxCloseMs: number;
}

/**
 * Runs a server until a client's stream ends or a signal comes, and closes it in order; gives the exit code. Throws
 * `UsageError` where it cannot listen.
 */
export async function runServer({ log, endpoints, started, ended, behind, maxCloseMs }: Server): Promise<number> {
  const stopped = untilStopped();
  const open: Endpoint[] = [];
  const close = () => closeAll(open, behind, { log, maxCloseMs });
  try {
    for (const start of endpoints) open.push(await start());
  } catch (error) {
    await close();
    throw listenError(error);
  }
  const stop = await started?.(open);
  const ends = [stopped, ...(ended === undefined ? [] : [ended]), ...open.flatMap(({ closed }) => closed ?? [])];
  const code = await Promise.race(ends);
  stop?.();
  await close();
  return typeof code === "number" ? code : exitCodes.ok;
}

/** Settles when the process is asked to stop: SIGINT, SIGTERM or SIGHUP, of which a second one ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

async function closeAll(
  endpoints: readonly Endpoint[],
  behind: Server["behind"],
  { log, maxCloseMs }: Pick<Server, "log" | "maxCloseMs">,
): Promise<void> {
  const closing = (async () => {
    await Promise.allSettled(endpoints.map(async (it) => it.close()));
    for (const one of behind) {
      try {
        await one();
      } catch (error) {
        log("error", "closing failed", { error: String(error) });
      }
    }
  })();
  // The timer holds nothing up: `setTimeout` of node:timers/promises ends with its signal.
  const late = new AbortController();
  await Promise.race([closing, setTimeout(maxCloseMs, undefined, { signal: late.signal }).catch(() => undefined)]);
  late.abort();
}

/** Why a server cannot listen, in one line for whoever chose the address; any other error as it is. */
function listenError(error: unknown): unknown {
  const { code, message, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const { address = "" } = error as { readonly address?: string };
  switch (code) {
    case "EADDRINUSE":
      return new UsageError(`Port ${port} on ${address} is taken. Give another one, or end what listens there.`);
    case "EACCES":
      return new UsageError(`Port ${port} on ${address} needs rights that this user lacks. Give one from 1024 on.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(`This machine has no address to listen on by that name (${message}). Give another host.`);
    default:
      return error;
  }
}
