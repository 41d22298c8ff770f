import { existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import Database from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { bundled, startWriter } from "./support/child.ts";
import { tempFolder } from "./support/ledgers.ts";

const folder = tempFolder();
const rows: string[] = [];
const memoryServer = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/dist/index.js");
const { version } = JSON.parse(readFileSync(join(memoryServer, "../../package.json"), "utf8")) as {
  readonly version: string;
};

afterAll(() => {
  process.stdout.write(
    [`drill | reference memory server ${version} | this ledger (acknowledged, surviving)`, ...rows, ""].join("\n"),
  );
  folder.remove();
});

interface Outcome {
  readonly acknowledged: number;
  readonly surviving: number;
}

function row(drill: string, theirs: Outcome, ours: Outcome): void {
  const words = ({ acknowledged, surviving }: Outcome) => `${acknowledged}, ${surviving}`;
  rows.push(`${drill} | ${words(theirs)} | ${words(ours)}`);
}

it("keeps each of 20 writes that one process gets at once", async () => {
  const file = join(folder.path, "one.jsonl");
  const client = await memory(file);
  const acknowledged = await creates(client, "one", 20);
  await client.close();
  const ledger = open("one.db");
  const ours = await records(ledger, 20);
  await ledger.close();
  row(
    "20 writes at once, one process",
    { acknowledged, surviving: entities(file) },
    { ...ours, surviving: events("one.db") },
  );
  expect(events("one.db")).toBe(20);
  expect(ours.acknowledged).toBe(20);
});

it("keeps each of 40 writes that two processes get at once", async () => {
  const file = join(folder.path, "two.jsonl");
  const clients = await Promise.all([memory(file), memory(file)]);
  const all = await Promise.all(clients.map((client, i) => creates(client, `two-${i}`, 20)));
  await Promise.all(clients.map((client) => client.close()));
  const script = await bundled("tests/ledger/support/writer.ts", "memory-writer");
  const where = join(folder.path, "two.db");
  const writers = ["a", "b"].map((agent) => startWriter(script, { where, agent, count: 20, callers: 20 }));
  await Promise.all(writers.map(({ ended }) => ended));
  const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
  row(
    "20 writes at once in each of two processes",
    { acknowledged: all.reduce((sum, n) => sum + n, 0), surviving: entities(file) },
    { acknowledged, surviving: events("two.db") },
  );
  expect({ acknowledged, surviving: events("two.db") }).toEqual({ acknowledged: 40, surviving: 40 });
});

it("goes on after its file was cut, with what the file still gives", async () => {
  const file = join(folder.path, "cut.jsonl");
  const before = await memory(file);
  await before.callTool({ name: "create_entities", arguments: { entities: named("before", 200) } });
  await before.close();
  truncateSync(file, statSync(file).size - 20);
  const client = await memory(file);
  const theirs = await creates(client, "after", 5);
  const told = await client.callTool({ name: "read_graph", arguments: {} }).catch(() => ({ isError: true }));
  await client.close();

  const ledger = open("cut.db");
  await ledger.recordBatch(
    Array.from({ length: 200 }, (_, i) => ({ concept: "kinship", agent: "mia", context: `use ${i}` })),
  );
  await ledger.close();
  const path = join(folder.path, "cut.db");
  truncateSync(path, Math.floor((statSync(path).size * 0.9) / 4096) * 4096);
  const again = open("cut.db");
  const ours = await records(again, 5);
  await again.close();
  row(
    "200 written, the file cut at its end, then 5 more",
    { acknowledged: 200 + theirs, surviving: told.isError ? 0 : entities(file) },
    { acknowledged: 200 + ours.acknowledged, surviving: events("cut.db") },
  );
  expect(ours.acknowledged).toBe(5);
  expect(events("cut.db")).toBeGreaterThanOrEqual(5);
});

async function memory(file: string): Promise<Client> {
  const client = new Client({ name: "drill", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [memoryServer],
    env: { MEMORY_FILE_PATH: file, PATH: process.env.PATH ?? "" },
    stderr: "ignore",
  });
  await client.connect(transport);
  return client;
}

function named(prefix: string, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: `${prefix}-${i}`,
    entityType: "use",
    observations: [`use ${i}`],
  }));
}

/** Calls at once; gives how many were answered without an error. */
async function creates(client: Client, prefix: string, count: number): Promise<number> {
  const answers = await Promise.allSettled(
    named(prefix, count).map((entity) =>
      client.callTool({ name: "create_entities", arguments: { entities: [entity] } }),
    ),
  );
  return answers.filter((answer) => answer.status === "fulfilled" && answer.value.isError !== true).length;
}

function entities(file: string): number {
  if (!existsSync(file)) return 0;
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes('"entity"')).length;
}

function open(name: string): Ledger {
  return openLedger(join(folder.path, name), { log: () => {}, now: () => new Date() });
}

async function records(ledger: Ledger, count: number): Promise<{ readonly acknowledged: number }> {
  const answers = await Promise.allSettled(
    Array.from({ length: count }, (_, i) => ledger.record({ concept: "kinship", agent: "mia", context: `use ${i}` })),
  );
  return { acknowledged: answers.filter(({ status }) => status === "fulfilled").length };
}

function events(name: string): number {
  const db = new Database(join(folder.path, name), { readonly: true });
  const { n } = db.prepare("select count(*) as n from event").get() as { readonly n: number };
  db.close();
  return n;
}
