import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { guard } from "./guard.ts";
import { ClientLimits, type Limits } from "./limits.ts";
import type { ListenOptions } from "./listen-options.ts";
import { LiveCallers } from "./live-callers.ts";
import { errorBody, refuse } from "./refuse.ts";
import { UnreadBytes } from "./unread-bytes.ts";

export interface Listening {
  /** `http://127.0.0.1:7331`, with the port that was taken. */
  readonly url: string;
  /** Stops accepting, lets calls under way finish, ends the streams with `endStreams`, drops what is left after `drainMs`. */
  close(drainMs: number, endStreams: () => Promise<void>): Promise<void>;
}

/** An HTTP server with every guard in front of its routes. It knows no protocol and no vocabulary. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, port, tls, limits, log } = options;
  const shares = new ClientLimits(limits);
  const live = new LiveCallers();
  const pass = guard(options, { shares, live, unread: new UnreadBytes(limits, log) });
  const state = { draining: false };
  const server = await create(tls, limits, (request, response) => {
    if (state.draining) response.setHeader("connection", "close");
    pass(request, response).catch((error: unknown) => {
      log("error", "a request failed", { stack: error instanceof Error ? error.stack : String(error) });
      refuse(response, {
        status: 500,
        code: -32603,
        message: "Something went wrong inside this server. It is in its log.",
      });
    });
  });
  server.on("clientError", answerBroken);
  await started(server, port, host);
  return {
    url: addressOf(server, host, tls === undefined ? "http" : "https"),
    close: async (drainMs, endStreams) => {
      state.draining = true;
      const stop = stopped(server, drainMs);
      await Promise.race([shares.quiet(), stop]);
      await endStreams();
      server.closeIdleConnections();
      await stop;
      live.close();
    },
  };
}

async function create(tls: ListenOptions["tls"], limits: Limits, answer: RequestListener): Promise<Server> {
  const { headersMs, bodyMs } = limits;
  const common = {
    headersTimeout: headersMs,
    requestTimeout: bodyMs,
    connectionsCheckingInterval: Math.min(1000, headersMs),
    maxHeaderSize: 32 * 1024,
    noDelay: true,
  };
  const server =
    tls === undefined
      ? createServer(common, answer)
      : (await import("node:https")).createServer({ ...common, ...tls, minVersion: "TLSv1.2" }, answer);
  // Node would drop further headers, Host among them, without a word; the guard counts them and says so.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;
  server.timeout = limits.stalledMs;
  server.keepAliveTimeout = Math.min(limits.stalledMs, 65_000);
  return server;
}

/** What Node cannot parse, or gave up waiting for, gets a reason too. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = brokenReasons[error.code ?? ""] ?? ["400 Bad Request", "This is no HTTP request."];
  const body = errorBody(message, -32000);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`);
}

const brokenReasons: Readonly<Record<string, readonly [string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers of this request are too large."],
};

function started(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

function addressOf(server: Server, host: string, scheme: "http" | "https"): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function stopped(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const drop = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(drop);
      resolve();
    });
    server.closeIdleConnections();
  });
}
