import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { buildEntry } from "./build-entry.ts";

export interface HttpProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly mcp: string;
  memory(): Promise<{ readonly held: number; readonly rejections: readonly string[] }>;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<number | null>;
}

const built = new Map<string, Promise<string>>();

export async function forkHttp(options: object = {}, entry = "tests/mcp/entries/small-http.ts"): Promise<HttpProcess> {
  const file = built.get(entry) ?? buildEntry(entry);
  built.set(entry, file);
  const env = { ...process.env, OPTIONS: JSON.stringify(options) };
  const child = fork(await file, { execArgv: ["--expose-gc"], env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [url] = (await once(child, "message")) as [string];
  return {
    child,
    url,
    mcp: `${url}/mcp`,
    memory: async () => (await (await fetch(`${url}/memory`)).json()) as { held: number; rejections: string[] },
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      return (await once(child, "exit"))[0] as number | null;
    },
  };
}
