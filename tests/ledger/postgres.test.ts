import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenLedgerOptions, openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { bundled, startWriter } from "./support/child.ts";
import { counts, keptLog } from "./support/ledgers.ts";
import { type PostgresServer, postgresOrNotRun, query } from "./support/postgres.ts";

const started = await postgresOrNotRun("the drills of the ledger over PostgreSQL");
let server: PostgresServer;
let url: string;
let opened: Ledger[];

afterAll(() => started?.dispose());
beforeEach(async () => {
  if (started) server = started;
  opened = [];
  url = await server.database();
});
afterEach(() => Promise.all((opened ?? []).map((ledger) => ledger.close())));

function open(options: Partial<OpenLedgerOptions> = {}, where = url): Ledger {
  const ledger = openLedger(where, { log: () => {}, now: () => new Date(), ...options });
  opened.push(ledger);
  return ledger;
}

function use(n: number, extra: object = {}) {
  return { concept: "kinship", agent: "mia", context: `use ${n}`, session: "s", ...extra };
}

async function ids(): Promise<ReadonlySet<string>> {
  return new Set((await query(url, "select id from wisdom.event")).map(({ id }) => String(id)));
}

describe.runIf(started)("a ledger in PostgreSQL", () => {
  it("has a partition for each month of late, and one for the rest", async () => {
    const ledger = open({ now: () => new Date("2026-11-30T10:00:00Z") });
    const at = ["2026-11-30", "2026-10-01", "2026-10-31", "2019-01-01", "2031-01-01"].map((day) => `${day}T00:00:00Z`);
    await ledger.recordBatch(at.map((time, i) => use(i, { at: time })));
    const rows = await query(
      url,
      "select tableoid::regclass::text as part, count(*) as n from wisdom.event group by 1 order by 1",
    );
    expect(rows).toEqual([
      { part: "wisdom.event_2026_10", n: "2" },
      { part: "wisdom.event_2026_11", n: "1" },
      { part: "wisdom.event_other", n: "2" },
    ]);
  });

  it("writes on when the month of a partition has events elsewhere already", async () => {
    await open({ now: () => new Date("2026-09-15T00:00:00Z") }).record(use(1, { at: "2026-11-30T00:00:00Z" }));
    await open({ now: () => new Date("2026-11-30T00:00:00Z") }).record(use(2, { at: "2026-11-30T01:00:00Z" }));
    expect((await ids()).size).toBe(2);
  });

  it("is made once when many servers start at once", async () => {
    const ledgers = Array.from({ length: 6 }, () => open());
    const all = await Promise.all(ledgers.map((ledger, i) => ledger.record(use(i))));
    expect((await ids()).size).toBe(all.length);
  });

  it("loses nothing of two processes that write at once", async () => {
    const script = await bundled("tests/ledger/support/writer.ts", "postgres-writer");
    const writers = ["a", "b"].map((agent) => startWriter(script, { where: url, agent, count: 500, callers: 20 }));
    await Promise.all(writers.map(({ ended }) => ended));
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged).toHaveLength(1_000);
    const present = await ids();
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    expect(await open().check()).toMatchObject({ ok: true, problems: [], events: 1_000 });
  });

  it("refuses any change of what is written, whoever asks the database", async () => {
    await open().record(use(1));
    await expect(query(url, "update wisdom.event set context = 'other'")).rejects.toThrow(/append-only/);
    await expect(query(url, "delete from wisdom.event")).rejects.toThrow(/append-only/);
  });

  it("is refused in words when a newer iaip-dsl made it, when nobody is let in, and when there is no server", async () => {
    await open().record(use(1));
    await query(url, "update wisdom.ledger_schema set version = 99");
    await expect(open().record(use(2))).rejects.toThrow(/newer iaip-dsl \(version 99.*Nothing was recorded/);
    const nobody = url.replace("tester@", "nobody:secret-word@");
    await expect(open({ patience: 100 }, nobody).record(use(2))).rejects.toThrow(/does not let this user in/);
    expect(open({}, nobody).where).not.toContain("secret-word");
    const nowhere = open({ patience: 200 }, "postgres://tester@127.0.0.1:1/none");
    await expect(nowhere.record(use(2))).rejects.toThrow(/cannot be reached now.*Nothing was recorded/);
    await expect(open({ patience: 100 }, `${url}_not`).record(use(1))).rejects.toThrow(/does not exist; create it/);
  });

  it("holds the text of a forgotten agent in no file of its tables any more", async () => {
    const ledger = open();
    const secret = "a sentence that must not stay";
    for (let i = 0; i < 5; i++) await ledger.record(use(i, { agent: "leaving", context: `${secret} ${i}` }));
    await ledger.summary({ concepts: [] });
    const { remains } = await ledger.forget({ agent: "leaving", by: "steward", reason: "asked to" });
    expect(remains).toEqual([expect.stringMatching(/^Backups, replicas and archived/)]);
    await query(url, "checkpoint");
    const dead = await query(
      url,
      `select c.relname, encode(pg_read_binary_file(pg_relation_filepath(c.oid)), 'escape') as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'wisdom' and c.relkind in ('r', 'i')`,
    );
    expect(dead.length).toBeGreaterThan(5);
    const holding = dead.filter(({ bytes }) => String(bytes).includes(secret) || String(bytes).includes("leaving"));
    expect(holding.map(({ relname }) => relname)).toEqual([]);
  });

  it("says how it is backed up", async () => {
    await expect(open().backup("x")).rejects.toThrow(/pg_dump --schema=wisdom/);
  });

  it("works where the server has no partitions by range and no triggers", async () => {
    // A server that speaks the protocol but not these features, played by taking the rights to them away.
    await query(url, "create schema wisdom");
    await query(
      url,
      `create function public.no_features() returns event_trigger language plpgsql as $$
        begin
          if tg_tag in ('CREATE FUNCTION', 'CREATE TRIGGER') or current_query() ~* 'partition (by|of)' then
            raise exception 'not supported' using errcode = '0A000';
          end if;
        end $$`,
    );
    await query(url, "create event trigger no_features on ddl_command_start execute function public.no_features()");
    const { log, lines } = keptLog();
    const ledger = open({ log });
    await ledger.recordBatch(Array.from({ length: 20 }, (_, i) => use(i)));
    expect((await ledger.record(use(21))).totals.concept).toBe(21);
    expect(lines.join("\n")).toMatch(/does not partition by range[\s\S]*append-only by agreement/);
    expect((await ledger.forget({ agent: "mia", by: "mia", reason: "asked to" })).events).toBe(21);
    expect(await ledger.check()).toMatchObject({ ok: true, problems: [] });
    await query(url, "drop event trigger no_features");
  });

  it("keeps what it acknowledged when the server stops and starts in the middle of the load, and goes on by itself", async () => {
    const ledger = open({ patience: 30_000 });
    await ledger.record(use(0));
    const rounds = counts(6, 2);
    const acknowledged: string[] = [];
    const refused: string[] = [];
    let writing = true;
    const load = Array.from({ length: 20 }, async (_, caller) => {
      for (let n = 0; writing; n++) {
        await ledger.record(use(n, { agent: `caller-${caller}` })).then(
          ({ eventId }) => acknowledged.push(eventId),
          (error: Error) => refused.push(error.message),
        );
      }
    });
    for (let round = 0; round < rounds; round++) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 50);
      await server.stop(round % 2 === 0 ? "fast" : "immediate");
      await server.start();
      const after = acknowledged.length;
      await until(() => acknowledged.length > after + 50);
    }
    writing = false;
    await Promise.all(load);
    const present = await ids();
    const lost = acknowledged.filter((id) => !present.has(id));
    process.stdout.write(
      `PostgreSQL stopped and started ${rounds} times under load: ${acknowledged.length} acknowledged, ${acknowledged.length - lost.length} present, ${refused.length} refused\n`,
    );
    expect({ lost, refused }).toEqual({ lost: [], refused: [] });
    expect(await ledger.check()).toMatchObject({ ok: true, problems: [] });
    const totals = await ledger.record(use(1));
    expect(totals.totals.concept).toBe(present.size + 1);
  }, 120_000);
});

/** The load is what makes progress here; looking at it again is the only event there is. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
}
