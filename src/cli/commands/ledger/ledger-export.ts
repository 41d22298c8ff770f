import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { counted } from "../../../base/english.ts";
import { csvHeader, csvLine, eventLine } from "../../../ledger/events/event-lines.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, printExact, UsageError } from "../../kit/io.ts";
import { type FilterArgs, readFilter, withLedger } from "./with-ledger.ts";

export interface ExportArgs extends FilterArgs {
  readonly format: "jsonl" | "csv";
  /** A new file, readable by its owner alone; stdout when absent. */
  readonly out?: string | undefined;
}

/** Events between two lines of progress. */
const progressEvery = 100_000;

/** `ledger export`: every event that the filter takes, oldest first. Progress and what was left out go to stderr. */
export function runLedgerExport(args: ExportArgs, settings: Settings, io: Io): Promise<number> {
  const given = readFilter(args);
  return withLedger(settings, io, async ({ ledger, hidden, mayRead, idOf }) => {
    const filter = given.concept === undefined ? given : { ...given, concept: idOf(given.concept) };
    const total = await ledger.countEvents(filter);
    const out = args.out === undefined ? io.stdout : await created(args.out);
    const line = args.format === "csv" ? csvLine : eventLine;
    if (args.format === "csv") out.write(`${csvHeader}\r\n`);
    let done = 0;
    let withheld = 0;
    for await (const page of ledger.events({ ...filter, hidden, mayRead })) {
      withheld += page.filter(({ context }) => context === null).length;
      const lines = page.map((event) => line(event) + (args.format === "csv" ? "\r\n" : "\n")).join("");
      const taken = args.out === undefined ? printExact(io, lines) : out.write(lines);
      if (!taken) await once(out, "drain");
      if (Math.floor((done + page.length) / progressEvery) > Math.floor(done / progressEvery)) {
        io.stderr.write(`${done + page.length} of ${total} events\n`);
      }
      done += page.length;
    }
    if (args.out !== undefined) await ended(out);
    io.stderr.write(
      `${counted(done, "event")} exported${args.out === undefined ? "" : ` to ${args.out}`}.${leftOut(withheld)}\n`,
    );
    return exitCodes.ok;
  });
}

function leftOut(withheld: number): string {
  if (withheld === 0) return "";
  return ` The contexts of ${counted(withheld, "event")} are left out: their concepts are restricted, withdrawn or no longer in the vocabulary.`;
}

async function created(path: string): Promise<Writable> {
  const stream = createWriteStream(path, { flags: "wx", mode: 0o600 });
  try {
    await once(stream, "open");
  } catch (error) {
    throw new UsageError(`--out ${path} cannot be made (${(error as Error).message}); name a new file.`);
  }
  return stream;
}

async function ended(stream: Writable): Promise<void> {
  stream.end();
  await once(stream, "finish");
}
