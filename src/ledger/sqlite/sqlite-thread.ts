import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { SqlRow } from "../sql.ts";
import { type HostReply, type HostRequest, sqliteHost } from "./sqlite-host.ts";
import { walFile } from "./wal-file.ts";

/** What SQLite said: `code` is its own (`SQLITE_BUSY`, …), or `MOVED`, `CLOSED`, `THREAD`. */
export class SqliteFault extends Error {
  override readonly name = "SqliteFault";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A thread that owns one connection: SQLite waits for locks and for the disk there, never where a hover is answered.
 * The thread is started from the source of `sqliteHost` and `walFile`, so that one bundled file, an installed package and the
 * TypeScript sources under a test runner all start it alike; the native module is loaded there, on first use.
 */
export class SqliteThread {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #waiting = new Map<
    number,
    { resolve(rows: readonly (readonly SqlRow[])[]): void; reject(e: Error): void }
  >();

  call(request: HostRequest): Promise<readonly (readonly SqlRow[])[]> {
    const worker = this.#started();
    const id = ++this.#lastId;
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, request });
    });
  }

  async stop(): Promise<void> {
    if (!this.#worker) return;
    await this.call({ op: "close" }).catch(() => undefined);
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const driver = createRequire(import.meta.url).resolve("better-sqlite3");
    const source = `(${sqliteHost.toString()})(require, ${JSON.stringify(driver)}, ${walFile.toString()});`;
    const worker = new Worker(source, { eval: true });
    worker.on("message", ({ id, reply }: { id: number; reply: HostReply }) => this.#settle(id, reply));
    worker.on("error", (error) => this.#fail(worker, error.message));
    worker.on("exit", () => this.#fail(worker, "the thread ended"));
    this.#worker = worker;
    return worker;
  }

  #settle(id: number, reply: HostReply): void {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("rows" in reply) call?.resolve(reply.rows);
    else call?.reject(new SqliteFault(reply.error.code, reply.error.message));
  }

  #fail(worker: Worker, message: string): void {
    if (this.#worker === worker) this.#worker = undefined;
    const calls = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of calls) call.reject(new SqliteFault("THREAD", message));
  }
}
