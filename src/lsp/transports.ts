import net from "node:net";
import type { Readable, Writable } from "node:stream";
import { createConnection, ProposedFeatures, type WatchDog } from "vscode-languageserver";
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type Logger,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import type { LspOptions } from "./documents/session.ts";
import { serveLsp } from "./serve-lsp.ts";

/** One client's life. */
export interface Served {
  /** Settles when the client is gone: 0 after a `shutdown` request, else 1. */
  readonly closed: Promise<number>;
  close(): void;
}

/** Serves one client on two streams. The end of its stream ends it, as does `exit`. */
export function serveStreams(input: Readable, output: Writable, options: LspOptions): Served {
  output.on("error", () => undefined);
  const served = serveMessages(new StreamMessageReader(input), new StreamMessageWriter(output), options);
  input.once("end", served.close).once("close", served.close).once("error", served.close);
  output.once("close", served.close).once("error", served.close);
  // An open stdin would keep the process alive; a socket is ended by its owner once everything is written.
  if (input !== (output as unknown)) afterwards(served, () => input.destroy());
  return served;
}

/** Connects out to a client that listens on a port of this machine or on a named pipe, as `--socket` and `--pipe` ask. */
export async function serveOutgoing(
  address: { readonly port: number } | { readonly path: string },
  options: LspOptions,
): Promise<Served> {
  const socket = net.connect("port" in address ? { ...address, host: "127.0.0.1" } : address);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
  return serveSocket(socket, options);
}

/** Serves the process that forked this one, over Node's own channel. */
export function serveForked(options: LspOptions): Served {
  const served = serveMessages(new IPCMessageReader(process), new IPCMessageWriter(process), options);
  process.once("disconnect", served.close);
  afterwards(served, () => process.connected && process.disconnect());
  return served;
}

export interface Listening {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for any number of clients. One that leaves takes nothing with it. */
export async function listenLsp(host: string, port: number, options: LspOptions): Promise<Listening> {
  const clients = new Set<Served>();
  const server = net.createServer((socket) => {
    const served = serveSocket(socket, options);
    clients.add(served);
    afterwards(served, () => clients.delete(served));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const address = server.address();
  return {
    host,
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.close();
      }),
  };
}

/** Calls back once when a process is gone. One that cannot be seen at first is never missed: it may be elsewhere. */
export function watchProcess(id: number, gone: () => void): () => void {
  if (!isAlive(id)) return () => undefined;
  const timer = setInterval(() => {
    if (isAlive(id)) return;
    clearInterval(timer);
    gone();
  }, 3000);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * The library tells the client what went wrong on the connection; when the client is gone that throws where nothing
 * catches it, and one client's late answer would end the server for all.
 */
function forgiving(logger: Logger): Logger {
  const quiet = (write: (message: string) => void) => (message: string) => {
    try {
      write(message);
    } catch {
      // The client is gone.
    }
  };
  return {
    error: quiet((message) => logger.error(message)),
    warn: quiet((message) => logger.warn(message)),
    info: quiet((message) => logger.info(message)),
    log: quiet((message) => logger.log(message)),
  };
}

/** What is left to do when the client is gone. `closed` never rejects. */
function afterwards({ closed }: Served, act: () => unknown): void {
  closed.then(act, () => undefined);
}

function serveSocket(socket: net.Socket, options: LspOptions): Served {
  socket.setNoDelay(true);
  const served = serveStreams(socket, socket, options);
  afterwards(served, () => socket.destroySoon());
  return served;
}

function serveMessages(reader: MessageReader, writer: MessageWriter, options: LspOptions): Served {
  let shutdownReceived = false;
  let stopWatching = (): void => undefined;
  let end: (code: number) => void = () => undefined;
  const closed = new Promise<number>((resolve) => {
    end = resolve;
  });
  const leave = (): void => end(shutdownReceived ? 0 : 1);
  const watchDog: WatchDog = {
    initialize({ processId }) {
      if (typeof processId === "number") stopWatching = watchProcess(processId, leave);
    },
    get shutdownReceived() {
      return shutdownReceived;
    },
    set shutdownReceived(value) {
      shutdownReceived = value;
    },
    exit: end,
  };
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, forgiving(logger)),
    watchDog,
    ProposedFeatures.all,
  );
  const served = serveLsp(connection, options);
  closed.then(
    () => {
      stopWatching();
      served.dispose();
    },
    () => undefined,
  );
  return { closed, close: leave };
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
