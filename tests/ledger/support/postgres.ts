import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export interface PostgresServer {
  /** A fresh database on the server; its URL. */
  database(): Promise<string>;
  /** Stops as an administrator would (`fast`) or as a crash would (`immediate`). */
  stop(how?: "fast" | "immediate"): Promise<void>;
  /** Starts again on the same port and data. */
  start(): Promise<void>;
  /** Stops and removes everything. */
  dispose(): Promise<void>;
}

/** A PostgreSQL of our own, from the installed packages, as a user without rights, in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = binaries();
  const folder = mkdtempSync(join(tmpdir(), "ledger-postgres-"));
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"], {
    ...user,
    cwd: folder,
    stdio: "pipe",
  });
  const port = await freePort();
  const url = (database: string) => `postgres://tester@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;
  let databases = 0;

  async function start() {
    server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder], {
      ...user,
      cwd: folder,
      stdio: "ignore",
    });
    await answering(url("postgres"));
  }
  async function stop(how: "fast" | "immediate" = "fast") {
    if (!server || server.exitCode !== null) return;
    server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await once(server, "exit");
  }

  await start();
  return {
    start,
    stop,
    async database() {
      const name = `ledger_${++databases}`;
      await query(url("postgres"), `create database ${name}`);
      return url(name);
    },
    async dispose() {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `undefined` when no PostgreSQL is installed and the run is told so in the file named by `IAIP_NOT_RUN`. */
export async function postgresOrNotRun(what: string): Promise<PostgresServer | undefined> {
  try {
    return await startPostgres();
  } catch (error) {
    const file = process.env.IAIP_NOT_RUN;
    if (!file) throw error;
    appendFileSync(file, `not run: ${what}: ${(error as Error).message}\n`);
    return undefined;
  }
}

export async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function binaries(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
  if (!found) throw new Error("no PostgreSQL server is installed: apt-get install postgresql");
  return found;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

/** A server that starts says so by taking a connection; there is no event for it. */
async function answering(url: string): Promise<void> {
  for (const end = Date.now() + 30_000; ; ) {
    try {
      await query(url, "select 1");
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
