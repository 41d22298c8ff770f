// What the benches share: a client of lines, CPU time of a child, percentiles, and how runs are told.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A JSON-RPC client on a child's stdio, with nothing of an SDK in its own way. */
export class LineClient {
  #waiting = new Map();
  #rest = "";
  #id = 0;

  constructor(command, args, env = {}) {
    this.started = performance.now();
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, ...env } });
    this.child.stdout.setEncoding("utf8");
    this.child.stdout.on("data", (chunk) => this.#take(chunk));
  }

  ask(method, params = {}) {
    const id = this.#id++;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer;
  }

  async initialize() {
    const clientInfo = { name: "bench", version: "1" };
    const hello = await this.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return hello;
  }

  /** Milliseconds of processor time the child has used so far; NaN where /proc is not. */
  cpu() {
    return cpuOf(this.child.pid);
  }

  end() {
    return new Promise((resolve) => {
      this.child.once("exit", resolve);
      this.child.stdin.end();
    });
  }

  #take(chunk) {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}

export function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

export function percentile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))];
}

export const median = (values) => percentile(values, 50);

/** `1.08 (0.97 to 1.21)`: the median of paired ratios, and their quartiles. */
export function ratio(ours, theirs) {
  const ratios = ours.map((value, index) => value / theirs[index]).filter(Number.isFinite);
  const told = [50, 25, 75].map((p) => percentile(ratios, p).toFixed(2));
  return `${told[0]} (${told[1]} to ${told[2]})`;
}

export const ms = (value) => `${value.toFixed(value < 10 ? 3 : 1)} ms`;
