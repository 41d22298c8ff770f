import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleLine } from "../../src/base/visible-text.ts";
import type { Snapshot } from "../../src/core/snapshot/snapshot.ts";
import { eventId } from "../../src/ledger/events/event-id.ts";
import { eventFromLine, eventLine } from "../../src/ledger/events/event-lines.ts";
import { originalText, storedText } from "../../src/ledger/events/stored-text.ts";
import { defaultLedgerPath } from "../../src/ledger/ledger-path.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { keepVersions } from "../../src/ledger/versions/keep-versions.ts";
import { conceptFile, snapshotOf } from "../support/small-vocabulary.ts";
import { keptLog, tempFolder } from "./support/ledgers.ts";

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });

describe("stored text", () => {
  it("is given back as it was, and is well formed in between", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: "binary" }), fc.stringMatching(/^[\\u0-9a-f]*$/)), (text) => {
        const stored = storedText(text);
        expect(originalText(stored)).toBe(text);
        expect(Buffer.from(stored, "utf8").toString("utf8")).toBe(stored);
        expect(stored).not.toMatch(/(?![\t\n])\p{Cc}/u);
        expect(visibleLine(text)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it("keeps different texts apart", () => {
    fc.assert(fc.property(anyText, anyText, (a, b) => (storedText(a) === storedText(b)) === (a === b)));
  });
});

describe("an event as a line", () => {
  it("is read back as it was", () => {
    const maybe = fc.option(fc.string({ unit: "binary", minLength: 1 }), { nil: null });
    const stored = fc.record({
      id: fc.string({ minLength: 1 }),
      at: fc.constant("2026-11-30T10:00:00.000Z"),
      type: fc.constantFrom("use" as const, "lookup" as const),
      concept: maybe,
      other: maybe,
      direction: maybe,
      agent: anyText,
      session: maybe,
      context: anyText,
      depth: fc.constantFrom("brief" as const, null),
      disclosure: fc.constantFrom("partial" as const, null),
      revision: maybe,
      forgotten: maybe,
    });
    fc.assert(
      fc.property(stored, (event) => {
        const read = eventFromLine(eventLine(event), 1);
        const expected = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null));
        expect(read).toEqual({ kind: "event", event: expected });
      }),
    );
  });
});

describe("an event id", () => {
  it("is a UUID of version 7 that sorts by its time", () => {
    const early = eventId(new Date("2026-11-30T10:00:00.000Z"));
    const late = eventId(new Date("2026-11-30T10:00:00.001Z"));
    expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(early < late).toBe(true);
    expect(Number.parseInt(early.replace("-", "").slice(0, 12), 16)).toBe(Date.parse("2026-11-30T10:00:00.000Z"));
  });
});

describe("the place of the ledger when nobody names one", () => {
  it.each([
    [{ XDG_DATA_HOME: "/x" }, "linux", join("/x", "iaip-dsl", "wisdom.db")],
    [{}, "linux", join("/home/a", ".local", "share", "iaip-dsl", "wisdom.db")],
    [{}, "darwin", join("/home/a", "Library", "Application Support", "iaip-dsl", "wisdom.db")],
    [{ LOCALAPPDATA: "/local" }, "win32", join("/local", "iaip-dsl", "wisdom.db")],
  ] as const)("with %o on %s is %s", (env, platform, expected) => {
    expect(defaultLedgerPath(env, platform, "/home/a")).toBe(expected);
  });
});

describe("no ledger", () => {
  it("refuses in words and closes", async () => {
    const ledger = noLedger();
    await expect(ledger.record({ agent: "a", context: "x" })).rejects.toThrow(/keeps no ledger.*Nothing was recorded/);
    await expect(ledger.summary({ concepts: [] })).rejects.toThrow(/keeps no ledger/);
    await expect(
      ledger
        .events({ mayRead: () => true })
        [Symbol.asyncIterator]()
        .next(),
    ).rejects.toThrow(/no ledger/);
    await ledger.close();
  });
});

describe("versions of concepts", () => {
  const guarded = "ocap: { relevance: the circle decides, access: restricted, status: not-assessed }\n";
  const world = (definition: string, more = "") =>
    snapshotOf({
      "craft/steeping.yaml": conceptFile("steeping", "", { definition }),
      "craft/tasting.yaml": conceptFile("tasting", guarded + more, { definition: "Words of the circle." }),
    });

  it("are kept when a load changes a concept, and only then", async () => {
    const folder = tempFolder();
    const ledger = openLedger(join(folder.path, "wisdom.db"), { log: () => {}, now: () => new Date() });
    const { listeners, source, set } = sourceOf(world("Waiting with leaves."));
    const { kept, ledger: watched } = watching(ledger);
    const { log, lines } = keptLog();
    const stop = keepVersions(source, watched, { log, after: 1 });
    await kept();
    set(world("Waiting with leaves."));
    await kept();
    set(world("Waiting in hot water."));
    await kept();
    await stop();
    expect(listeners.size).toBe(0);
    expect(await ledger.history("steeping")).toMatchObject([{ version: 1 }, { version: 2, changed: ["definition"] }]);
    expect(lines).toEqual([expect.stringContaining('"changed":["steeping"]')]);
    await ledger.close();
    folder.remove();
  });

  it("hold no words of a concept that is not open to all", async () => {
    const folder = tempFolder();
    const ledger = openLedger(join(folder.path, "wisdom.db"), { log: () => {}, now: () => new Date() });
    const { kept, ledger: watched } = watching(ledger);
    const stop = keepVersions(sourceOf(world("Waiting.")).source, watched, { log: () => {}, after: 1 });
    await kept();
    await stop();
    const [version] = await ledger.history("tasting");
    expect(version?.fields).toMatchObject({
      name: "Tasting",
      definition: expect.stringMatching(/^keyed:[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(version)).not.toContain("circle");
    await ledger.close();
    folder.remove();
  });
});

function sourceOf(first: Snapshot) {
  let snapshot = first;
  const listeners = new Set<(previous: Snapshot, next: Snapshot) => void>();
  const source = {
    get snapshot() {
      return snapshot;
    },
    ready: Promise.resolve(),
    onDidChange(listener: (previous: Snapshot, next: Snapshot) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const set = (next: Snapshot) => {
    const previous = snapshot;
    snapshot = next;
    for (const listener of listeners) listener(previous, next);
  };
  return { listeners, source, set };
}

/** The same ledger; `kept` settles with the next keeping of versions. */
function watching(ledger: Ledger) {
  let tell = () => {};
  const watched: Ledger = Object.create(ledger, {
    recordBatch: { value: ledger.recordBatch.bind(ledger) },
    recordVersions: {
      value: async (...args: Parameters<Ledger["recordVersions"]>) => {
        const made = await ledger.recordVersions(...args);
        tell();
        return made;
      },
    },
  });
  const kept = () =>
    new Promise<void>((resolve) => {
      tell = resolve;
    });
  return { kept, ledger: watched };
}
