import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerEvent } from "../../src/ledger/events/event.ts";
import { openLedger } from "../../src/ledger/open-ledger.ts";
import { commandLine, teaFolder } from "./support/command-line.ts";
import { tempFolder } from "./support/ledgers.ts";

let folder: ReturnType<typeof tempFolder>;
let where: string;
let concepts: string;

beforeEach(() => {
  folder = tempFolder();
  where = join(folder.path, "wisdom.db");
  concepts = teaFolder(join(folder.path, "tea"));
});
afterEach(() => folder.remove());

function run(line: readonly string[], { ledger = where, more = [] as readonly string[], input = "" } = {}) {
  return commandLine([...line, "--concepts", concepts, "--ledger", ledger, ...more], folder.path, input);
}

const odd = '=1+1, "quoted"\nsecond line \u0000 \u001b[31m \ud800';
const events: readonly LedgerEvent[] = [
  { concept: "steeping", agent: "mia", context: "a use", session: "s1", at: "2026-11-01T10:00:00.000Z", id: "e1" },
  {
    concept: "tasting",
    agent: "mia",
    context: "withheld words",
    session: "s1",
    at: "2026-11-02T10:00:00.000Z",
    id: "e2",
  },
  { concept: "steeping", agent: "@cmd", context: odd, at: "2026-11-03T10:00:00.000Z", id: "e3", revision: "tea@1" },
  { type: "search", agent: "mia", context: "", at: "2026-11-03T11:00:00.000Z", id: "e4" },
];

async function fill(all = events): Promise<void> {
  const ledger = openLedger(where, { log: () => {}, now: () => new Date() });
  await ledger.recordBatch(all);
  await ledger.close();
}

describe("ledger summary", () => {
  it("says in words what it measures, and never rates anybody", async () => {
    await fill();
    const { code, out } = await run(["ledger", "summary"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Use of these files, as far as it was recorded here\. It says nothing of people/);
    expect(out).toContain("Events: 4 on 2 concepts, by 2 agents in 1 sessions over 3 days");
    expect(out).toContain("Session days: 2, of them with 100 events or more: 0");
    expect(out).toMatch(/Never used\n {2}pouring/);
    expect(out).toContain("Query logging was never on: only uses that agents logged themselves are counted.");
    expect(out).not.toMatch(/\b(best|worst|top|poor|good|score|rank)/i);
  });

  it("takes filters, and a concept by its name", async () => {
    await fill();
    const { out } = await run(["ledger", "summary", "--json", "--concept", "Steeping", "--since", "2026-11-02"]);
    expect(JSON.parse(out)).toMatchObject({ totals: { events: 1 }, by_concept: [{ concept: "steeping", events: 1 }] });
    const wrong = await run(["ledger", "summary", "--since", "yesterday"]);
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('--since takes a day as 2026-09-30 (UTC), not "yesterday"'),
    });
  });

  it("has a month of daily sessions reach the seed's measure of 100 events a session day", async () => {
    const day = (n: number) => `2026-10-${String(1 + (n % 30)).padStart(2, "0")}T10:00:00.000Z`;
    await fill(
      Array.from({ length: 3_000 }, (_, n) => ({
        concept: "steeping",
        agent: "mia",
        context: "x",
        session: "daily",
        at: day(n),
      })),
    );
    const { out } = await run(["ledger", "summary"]);
    expect(out).toContain("Session days: 30, of them with 100 events or more: 30");
  });
});

describe("ledger export and import", () => {
  it("bring every event to another ledger as it was, save what the reader may not see", async () => {
    await fill();
    const file = join(folder.path, "events.jsonl");
    const exported = await run(["ledger", "export", "--out", file]);
    expect(exported).toMatchObject({ code: 0, out: "" });
    expect(exported.err).toContain("4 events exported to");
    expect(exported.err).toContain("The contexts of 1 event are left out");
    expect(readFileSync(file, "utf8")).not.toContain("withheld words");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const other = join(folder.path, "other.db");
    const imported = await run(["ledger", "import", file], { ledger: other });
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^4 lines read: 4 events recorded, 0 in/) });
    const again = await run(["ledger", "import", file], { ledger: other });
    expect(again.out).toMatch(/^4 lines read: 0 events recorded, 4 in the ledger already/);
    const back = await run(["ledger", "export"], { ledger: other });
    const withoutContext = (text: string) => text.split("\n").filter((line) => !line.includes("e2"));
    expect(withoutContext(back.out)).toEqual(withoutContext(readFileSync(file, "utf8")));
    expect(back.out).toContain(JSON.stringify(odd));
  });

  it("tell a reader with the grant what was said of a guarded concept", async () => {
    await fill();
    const { out } = await run(["ledger", "export", "--concept", "tasting"], { more: ["--grant", "tasters"] });
    expect(out).toContain("withheld words");
  });

  it("write CSV that a spreadsheet neither runs nor breaks", async () => {
    await fill();
    const { out } = await run(["ledger", "export", "--format", "csv"]);
    expect(out.split("\r\n")[0]).toBe(
      "id,at,type,concept,other,direction,agent,session,context,depth,disclosure,revision,forgotten",
    );
    expect(out).toContain(`,'@cmd,,"'=1+1, ""quoted""\nsecond line \\u0000 \\u001b[31m \\ud800",`);
  });

  it("do not write over a file", async () => {
    await fill();
    const file = join(folder.path, "there");
    writeFileSync(file, "kept");
    expect(await run(["ledger", "export", "--out", file])).toMatchObject({
      code: 2,
      err: expect.stringContaining("name a new file"),
    });
    expect(readFileSync(file, "utf8")).toBe("kept");
  });

  it("read the origin's field names, name wrong lines, and go on", async () => {
    const lines = [
      '{"id":"o1","timestamp":"2026-01-02T03:04:05Z","concept_id":"steeping","event_type":"lookup","agent_id":"echo","response_depth":"full","ocap_result":"ceremony_needed"}',
      "not json",
      '{"at":"2026-01-02T03:04:05Z","agent":"","context":"x"}',
      '{"at":"soon","agent":"a","context":"x"}',
      '{"at":"2026-01-02T03:04:05Z","agent":"a","context":"without an id"}',
      "",
    ].join("\n");
    const { code, out } = await run(["ledger", "import", "-"], { input: lines });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^5 lines read: 2 events recorded, 0 in the ledger already, 3 lines that could not be read\.\nline 2: it is not JSON/,
    );
    expect(out).toMatch(/line 3: The agent has no name/);
    expect(out).toMatch(/line 4: "soon" is no time/);
    expect((await run(["ledger", "import", "-"], { input: lines })).out).toMatch(
      /0 events recorded, 2 in the ledger already/,
    );
    const exported = (await run(["ledger", "export", "--agent", "echo"])).out;
    expect(JSON.parse(exported)).toMatchObject({ id: "o1", type: "lookup", depth: "full", disclosure: "withheld" });
  });

  it("carry tombstones over as tombstones", async () => {
    await fill();
    await run(["ledger", "forget", "--agent", "mia", "--reason", "asked to", "--by", "mia"]);
    const lines = (await run(["ledger", "export"])).out;
    const other = join(folder.path, "other.db");
    await run(["ledger", "import", "-"], { ledger: other, input: lines });
    expect((await run(["ledger", "export"], { ledger: other })).out).toBe(lines);
    expect(lines).not.toContain('"a use"');
  });
});

describe("ledger forget, received, check, backup and history", () => {
  it("forget reports what went", async () => {
    await fill();
    const { code, out } = await run(["ledger", "forget", "--concept", "Steeping", "--reason", "asked to"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^2 events emptied, from 2026-11-01T10:00:00.000Z to 2026-11-03T10:00:00.000Z\./);
    const none = await run(["ledger", "forget", "--reason", "asked to"]);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("exactly one") });
  });

  it("received says who was told, and that it cannot know the rest", async () => {
    await fill();
    const { out } = await run(["ledger", "received", "steeping"]);
    expect(out).toContain("mia, session s1: 1 times");
    expect(out).toContain("this ledger cannot know who else was told");
  });

  it("check and backup say that all is well, and where the copy is", async () => {
    await fill();
    expect(await run(["ledger", "check"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/4 events; journal wal, synchronous full, checkpoint each 1000 pages\nAll is well\./),
    });
    const copy = join(folder.path, "copy.db");
    expect(await run(["ledger", "backup", copy])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`is copied to ${copy}`),
    });
    expect(await run(["ledger", "check"], { ledger: copy })).toMatchObject({ code: 0 });
  });

  it("say in one line that there is no ledger", async () => {
    expect(await run(["ledger", "summary"], { ledger: "none" })).toMatchObject({
      code: 1,
      err: "iaip-dsl: This server keeps no ledger; start it with --ledger FILE to keep one.\n",
    });
  });

  it("history shows how a definition moved, and says when there is none", async () => {
    expect((await run(["history", "steeping"])).out).toMatch(/no version of steeping/);
    const ledger = openLedger(where, { log: () => {}, now: () => new Date("2026-11-30T10:00:00Z") });
    for (const definition of ["Waiting with leaves.", "Waiting with leaves in hot water."]) {
      await ledger.recordVersions([
        { concept: "steeping", hash: definition, fields: { definition }, withdrawn: false },
      ]);
    }
    await ledger.recordVersions([
      { concept: "tasting", hash: "h", fields: { definition: "not for all" }, withdrawn: false },
    ]);
    await ledger.close();
    expect((await run(["history", "Steeping"])).out).toBe(
      [
        "Version 1, 2026-11-30T10:00:00.000Z, first seen",
        "  Waiting with leaves.",
        "Version 2, 2026-11-30T10:00:00.000Z, changed: definition",
        "  definition",
        "    was: Waiting with leaves.",
        "    now: Waiting with leaves in hot water.",
        "",
      ].join("\n"),
    );
    expect((await run(["history", "tasting", "--json"])).out).not.toContain("not for all");
  });
});
