import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenLedgerOptions, openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { openSqliteFile } from "../../src/ledger/sqlite/sqlite-file.ts";
import { sqliteSteps } from "../../src/ledger/sqlite/sqlite-schema.ts";
import { SqliteThread } from "../../src/ledger/sqlite/sqlite-thread.ts";
import { bundled, startWriter } from "./support/child.ts";
import { counts, keptLog, tempFolder } from "./support/ledgers.ts";

let folder: ReturnType<typeof tempFolder>;
let path: string;
let opened: Ledger[];

beforeEach(() => {
  folder = tempFolder();
  path = join(folder.path, "data", "wisdom.db");
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((ledger) => ledger.close()));
  folder.remove();
});

function open(where = path, options: Partial<OpenLedgerOptions> = {}): Ledger {
  const ledger = openLedger(where, { log: () => {}, now: () => new Date(), ...options });
  opened.push(ledger);
  return ledger;
}

function use(n: number, extra: object = {}) {
  return { concept: "kinship", agent: "mia", context: `use ${n}`, session: "s", ...extra };
}

async function ids(ledger: Ledger): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const page of ledger.events({ mayRead: () => true })) for (const { id } of page) found.add(id);
  return found;
}

describe("a ledger file", () => {
  it("is made on the first use, for its owner alone, and not before", async () => {
    const ledger = open();
    expect(existsSync(path)).toBe(false);
    await ledger.record(use(1));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect((await ledger.check()).durability).toBe("journal wal, synchronous full, checkpoint each 1000 pages");
  });

  it("loses nothing of two processes that write at once", async () => {
    const script = await bundled("tests/ledger/support/writer.ts", "writer");
    const writers = ["a", "b"].map((agent) => startWriter(script, { where: path, agent, count: 500, callers: 20 }));
    await Promise.all(writers.map(({ ended }) => ended));
    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged).toHaveLength(1_000);
    const present = await ids(open());
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    expect(present.size).toBe(1_000);
  });

  it("refuses any change of what is written, whoever asks the database", async () => {
    const ledger = open();
    await ledger.record(use(1));
    await ledger.close();
    const db = new Database(path);
    expect(() => db.exec("update event set context = 'other'")).toThrow(/append-only/);
    expect(() => db.exec("delete from event")).toThrow(/append-only/);
    db.exec("insert into act values ('x', '', 'agent', null, '', '', 0, 0, null, null, 0)");
    expect(() => db.exec("delete from act")).toThrow(/append-only/);
    expect(() => db.exec("update act set reason = 'none'")).toThrow(/append-only/);
    db.close();
  });

  it("does not hold the words of a forgotten agent any more, in no page and no log of its own", async () => {
    const ledger = open();
    const secret = "a sentence that must not stay";
    for (let i = 0; i < 30; i++)
      await ledger.record(use(i, { agent: "leaving-agent", context: `${secret} ${i}`, session: "leaving-session" }));
    await ledger.record(use(99));
    await ledger.summary({ concepts: [] });
    const { events, remains } = await ledger.forget({ agent: "leaving-agent", by: "steward", reason: "asked to" });
    expect({ events, remains }).toEqual({ events: 30, remains: [] });
    const bytes = readdirSync(dirname(path))
      .map((name) => readFileSync(join(dirname(path), name), "latin1"))
      .join("");
    for (const word of [secret, "leaving-agent", "leaving-session"]) expect(bytes.includes(word)).toBe(false);
    expect(await ledger.check()).toMatchObject({ ok: true, events: 32 });
  });

  it("says which older copies a forgetting did not reach", async () => {
    const ledger = open();
    await ledger.record(use(1));
    writeFileSync(`${path}.version-1-then`, "");
    const { remains } = await ledger.forget({ agent: "mia", by: "mia", reason: "asked to" });
    expect(remains).toEqual([
      `${path}.version-1-then is an older copy and was not touched; delete it if it should go.`,
    ]);
  });

  it("is copied whole while others write", async () => {
    const ledger = open();
    await ledger.recordBatch(Array.from({ length: 2_000 }, (_, i) => use(i)));
    const copy = join(folder.path, "copy.db");
    const [{ bytes }] = await Promise.all([
      ledger.backup(copy),
      ...Array.from({ length: 20 }, (_, i) => ledger.record(use(i))),
    ]);
    expect(bytes).toBeGreaterThan(100_000);
    const copied = await open(copy).check();
    expect(copied).toMatchObject({ ok: true, problems: [] });
    expect(copied.events).toBeGreaterThanOrEqual(2_000);
    await expect(ledger.backup(copy)).rejects.toThrow(/there already/);
  });

  it("goes on at its place when the file was moved away under it, with what waited beside it", async () => {
    const ledger = open();
    await ledger.record(use(1));
    renameSync(path, `${path}.moved`);
    const { eventId } = await ledger.record(use(2));
    const present = await ids(open());
    expect([present.size, present.has(eventId)]).toEqual([2, true]);
  });

  it("ends in time when a lock is held while it closes, and answers what waited", async () => {
    const ledger = open();
    await ledger.record(use(1));
    const other = new Database(path);
    other.exec("begin immediate");
    const waiting = expect(ledger.record(use(2))).rejects.toThrow(/lock.*Nothing was recorded/);
    const start = performance.now();
    await ledger.close();
    expect(performance.now() - start).toBeLessThan(2_000);
    await waiting;
    other.close();
  });
});

describe("a lock that another program holds", () => {
  it("delays a use until it is free, and nothing else", async () => {
    const ledger = open(path, { patience: 45_000 });
    await ledger.record(use(1));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const other = new Database(path);
    other.exec("begin immediate");
    delay.enable();
    const held = performance.now();
    const recorded = ledger.record(use(2));
    const summary = await ledger.summary({ concepts: [] });
    expect(summary.totals.events).toBe(1);
    const free = new Promise((resolve) => setTimeout(resolve, counts(30_000, 1_500)));
    await free;
    other.exec("commit");
    const { totals } = await recorded;
    expect(totals.concept).toBe(2);
    delay.disable();
    process.stdout.write(
      `lock held ${Math.round(performance.now() - held)} ms: 1 use waited and is there, 1 summary answered meanwhile, longest pause of the event loop ${Math.round(delay.max / 1e6)} ms\n`,
    );
    expect(delay.max / 1e6).toBeLessThan(500);
    other.close();
  }, 60_000);

  it("is said in words when it outlasts the patience", async () => {
    const ledger = open(path, { patience: 300 });
    await ledger.record(use(1));
    const other = new Database(path);
    other.exec("begin immediate");
    await expect(ledger.record(use(2))).rejects.toThrow(/Another program has held the lock.*Nothing was recorded/);
    other.exec("commit");
    other.close();
    expect((await ledger.record(use(3))).totals.concept).toBe(2);
  });
});

describe("a damaged file", () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    "is cut in the middle": (file) => truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
    "is cut within a page": (file) => truncateSync(file, statSync(file).size - 1_000),
    "has a page of noise": (file) => {
      const bytes = readFileSync(file);
      bytes.fill(0xa5, 8 * 4096, 9 * 4096);
      writeFileSync(file, bytes);
    },
  };

  it.each(Object.entries(damages))(
    "that %s is moved aside and said, and a new one begun with what it still gives",
    async (_, damage) => {
      const before = open();
      await before.recordBatch(Array.from({ length: 3_000 }, (_, i) => use(i, { id: `id-${i}` })));
      await before.close();
      damage(path);
      const { log, lines } = keptLog();
      const ledger = open(path, { log });
      await ledger.check();
      const { eventId } = await ledger.record(use(1));
      const present = await ids(ledger);
      expect(present.has(eventId)).toBe(true);
      const isWhole = present.size - 1 === 3_000;
      const loss = expect.stringMatching(/acknowledged events could not be carried over.*damaged-/);
      expect(await ledger.check()).toMatchObject({ ok: isWhole, problems: isWhole ? [] : [loss] });
      const aside = readdirSync(dirname(path)).filter((name) => /damaged-[^-]+.*\d$/.test(name));
      expect(aside).toHaveLength(1);
      expect(lines).toEqual([
        expect.stringMatching(/^error: The ledger .* was damaged\. It was moved aside and a new one begun/),
      ]);
      process.stdout.write(
        `damaged file (${_}): ${present.size - 1} of 3000 events carried over, the file kept as ${aside[0]}\n`,
      );
    },
  );

  it("that was emptied while its events were still beside it loses none of them in silence", async () => {
    const before = open();
    await before.record(use(1));
    const left = join(folder.path, "left.db");
    copyFileSync(`${path}-wal`, `${left}-wal`);
    writeFileSync(left, "");
    const { log, lines } = keptLog();
    const ledger = open(left, { log });
    await ledger.record(use(2));
    expect((await ids(ledger)).size).toBe(2);
    expect(lines).toEqual([expect.stringMatching(/emptied.*moved aside/)]);
    expect(readdirSync(folder.path).some((name) => /damaged-.*-wal$/.test(name))).toBe(true);
  });

  it("is set aside once by all who have it open", async () => {
    const ledgers = [open(), open(), open()];
    await Promise.all(ledgers.map((ledger, i) => ledger.record(use(i))));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, 100, bytes.length - 4096));
    const again = [open(), open(), open(), open()];
    const all = await Promise.all(again.flatMap((ledger, i) => [ledger.record(use(i)), ledger.record(use(i + 10))]));
    const present = await ids(open());
    expect(all.filter(({ eventId }) => !present.has(eventId))).toEqual([]);
    expect(readdirSync(dirname(path)).filter((name) => /damaged-[^-]+.*\d$/.test(name))).toHaveLength(1);
  });
});

describe("a file of another kind", () => {
  it("that a newer iaip-dsl wrote is refused in words and left as it is", async () => {
    const ledger = open();
    await ledger.record(use(1));
    await ledger.close();
    const db = new Database(path);
    db.pragma("user_version = 99");
    db.close();
    await expect(open().record(use(2))).rejects.toThrow(/newer iaip-dsl \(version 99.*Nothing was recorded/);
  });

  it("that another program wrote is refused in words and left as it is", async () => {
    mkdirSync(dirname(path));
    const db = new Database(path);
    db.exec("create table bookmarks (url text)");
    db.close();
    await expect(open().record(use(1))).rejects.toThrow(/another program/);
  });

  it("that is any other file is refused with what to do, never renamed, never touched", async () => {
    mkdirSync(dirname(path));
    const text = "My letters, not a ledger.\n".repeat(400);
    writeFileSync(path, text);
    const ledger = open();
    await expect(ledger.record(use(1))).rejects.toThrow(/is not a ledger.*left as it is.*Name another file/);
    await expect(ledger.check()).rejects.toThrow(/is not a ledger/);
    await ledger.close();
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(["wisdom.db"]);
  });

  it("that another program wrote and later damaged is left in its place", async () => {
    mkdirSync(dirname(path));
    const db = new Database(path);
    db.exec("create table bookmarks (url text); pragma user_version = 1");
    const insert = db.prepare("insert into bookmarks values (?)");
    for (let i = 0; i < 50; i++) insert.run("x".repeat(1_000));
    db.close();
    const bytes = readFileSync(path).fill(0xa5, 100, 4096);
    writeFileSync(path, bytes);
    await expect(open().record(use(1))).rejects.toThrow(/left as it is/);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("that is a folder is refused in words", async () => {
    mkdirSync(path, { recursive: true });
    await expect(open().record(use(1))).rejects.toThrow(/is not a file/);
  });

  it("of an older version is brought forward, with a copy of the old one kept", async () => {
    const ledger = open();
    await ledger.record(use(1));
    await ledger.close();
    const { log, lines } = keptLog();
    const steps = [...sqliteSteps, ["alter table event add column place text"]];
    const thread = new SqliteThread();
    await openSqliteFile(thread, path, { log, now: () => new Date(), steps });
    await thread.stop();
    expect(lines).toEqual([expect.stringMatching(/brought to a newer version/)]);
    const copy = readdirSync(dirname(path)).find((name) => name.includes(".version-1-")) ?? "";
    expect(new Database(path).prepare("select place, context from event").get()).toEqual({
      place: null,
      context: "use 1",
    });
    expect(await ids(open(join(dirname(path), copy)))).toHaveLength(1);
  });

  it("stays at its version when a step fails", async () => {
    const ledger = open();
    await ledger.record(use(1));
    await ledger.close();
    const thread = new SqliteThread();
    const steps = [...sqliteSteps, ["alter table event add column place text", "this is no SQL"]];
    await expect(openSqliteFile(thread, path, { log: () => {}, now: () => new Date(), steps })).rejects.toThrow(
      /syntax error/,
    );
    await thread.stop();
    expect((await open().record(use(2))).totals.concept).toBe(2);
  });
});

describe("a place that cannot be written", () => {
  const mounted = tmpfs();

  it.runIf(mounted)(
    "because the disk is full is said in words; what was acknowledged is there, and it goes on with room",
    async () => {
      await withTmpfs("1m", async (mount, remount) => {
        const ledger = open(join(mount, "wisdom.db"));
        const acknowledged: string[] = [];
        const refusal = await untilRefused(ledger, acknowledged);
        expect(refusal).toMatch(/disk that holds the ledger .* is full.*Nothing was recorded/);
        const present = await ids(ledger);
        expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
        remount("size=8m");
        const { eventId } = await ledger.record(use(1));
        expect((await ids(ledger)).has(eventId)).toBe(true);
        await ledger.close();
        process.stdout.write(
          `disk full: ${acknowledged.length} acknowledged, ${acknowledged.length} present, then "${refusal}"\n`,
        );
      });
    },
  );

  it.runIf(mounted)(
    "because it may only be read is said in words; it still gives its summary, and goes on when that changes",
    async () => {
      await withTmpfs("4m", async (mount, remount) => {
        const first = open(join(mount, "wisdom.db"));
        await first.record(use(1));
        await first.close();
        remount("ro");
        const ledger = open(join(mount, "wisdom.db"));
        expect((await ledger.summary({ concepts: [] })).totals.events).toBe(1);
        await expect(ledger.record(use(2))).rejects.toThrow(
          /(may only be read|cannot be opened).*Nothing was recorded/,
        );
        remount("rw");
        expect((await ledger.record(use(3))).totals.concept).toBe(2);
        await ledger.close();
      });
    },
  );
});

async function untilRefused(ledger: Ledger, acknowledged: string[]): Promise<string> {
  for (let i = 0; i < 100_000; i++) {
    try {
      acknowledged.push((await ledger.record(use(i, { context: "x".repeat(2_000) }))).eventId);
    } catch (error) {
      return (error as Error).message;
    }
  }
  return "never";
}

async function withTmpfs(
  size: string,
  act: (mount: string, remount: (how: string) => void) => Promise<void>,
): Promise<void> {
  const mount = join(folder.path, "small");
  mkdirSync(mount);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", mount]);
  try {
    await act(mount, (how) => execFileSync("mount", ["-o", `remount,${how}`, mount]));
    await Promise.all(opened.map((ledger) => ledger.close()));
  } finally {
    execFileSync("umount", ["-l", mount]);
  }
}

/** Small disks and read-only ones need the right to mount; without it the run is told so. */
function tmpfs(): boolean {
  const probe = tempFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", probe.path], { stdio: "pipe" });
    execFileSync("umount", [probe.path]);
    return true;
  } catch (error) {
    const file = process.env.IAIP_NOT_RUN;
    if (!file) throw new Error("full and read-only disks need the right to mount a tmpfs", { cause: error });
    appendFileSync(file, "not run: the ledger on a full or read-only disk: no right to mount a tmpfs\n");
    return false;
  } finally {
    probe.remove();
  }
}
