import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import { bundled, startWriter, type Writer } from "./support/child.ts";
import { counts, tempFolder } from "./support/ledgers.ts";

const processes = 4;

it(
  "a process killed at any point of a write load takes nothing with it that was acknowledged",
  async () => {
    const folder = tempFolder();
    const where = join(folder.path, "wisdom.db");
    const script = await bundled("tests/ledger/support/writer.ts", "crash-writer");
    const rounds = counts(200, 4);
    let acknowledged = 0;
    let lost = 0;
    const begun = performance.now();
    for (let round = 0; round < rounds; round++) {
      const writers = Array.from({ length: processes }, (_, i) =>
        startWriter(script, { where, agent: `r${round}-p${i}`, callers: 8, patience: 45_000 }),
      );
      await Promise.all(writers.map(({ firstAcknowledged }) => firstAcknowledged));
      await killAtRandom(writers);
      const ids = writers.flatMap((writer) => writer.acknowledged);
      acknowledged += ids.length;
      lost += missing(where, ids);
      const refused = writers.flatMap((writer) => writer.refused);
      expect(refused).toEqual([]);
    }
    const ledger = openLedger(where, { log: () => {}, now: () => new Date() });
    const check = await ledger.check();
    process.stdout.write(
      `kill -9, ${rounds} rounds of ${processes} processes with 8 callers each: ${acknowledged} acknowledged, ${acknowledged - lost} present, ` +
        `${check.events} events in the file, check ${check.ok ? "ok" : check.problems.join(" ")}, ${Math.round((performance.now() - begun) / 1000)} s\n`,
    );
    expect({ lost, ok: check.ok }).toEqual({ lost: 0, ok: true });
    await ledger.close();
    folder.remove();
  },
  counts(1_800_000, 60_000),
);

/** Each process at a moment of its own within a tenth of a second of load. */
async function killAtRandom(writers: readonly Writer[]): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      writer.process.kill("SIGKILL");
      await writer.ended;
    }),
  );
}

function missing(where: string, ids: readonly string[]): number {
  const db = new Database(where, { readonly: true });
  const find = db.prepare("select 1 from event where id = ?");
  const gone = ids.filter((id) => find.get(id) === undefined).length;
  db.close();
  return gone;
}
