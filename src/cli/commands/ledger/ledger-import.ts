import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { counted } from "../../../base/english.ts";
import { type Imported, importEvents } from "../../../ledger/events/import-events.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print, UsageError } from "../../kit/io.ts";
import { withLedger } from "./with-ledger.ts";

export interface ImportArgs {
  /** A file of JSON lines, or `-` for stdin. */
  readonly file: string;
}

/** `ledger import`: running it again after a break goes on where it was, since events are known by their ids. */
export async function runLedgerImport({ file }: ImportArgs, settings: Settings, io: Io): Promise<number> {
  const bytes = file === "-" ? undefined : await sizeOf(file);
  return withLedger(settings, io, async ({ ledger }) => {
    const input = file === "-" ? io.stdin : createReadStream(file);
    let read = 0;
    input.on("data", (chunk: Buffer | string) => {
      read += chunk.length;
    });
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const imported = await importEvents(ledger, lines, (so) => {
      if (so.lines % 100_000 === 0) io.stderr.write(`${so.lines} lines${percent(read, bytes)}\n`);
    });
    print(io, report(imported));
    return imported.wrong_total > 0 ? exitCodes.found : exitCodes.ok;
  });
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read (${error.message}).`);
  });
  return found.size;
}

function percent(read: number, bytes: number | undefined): string {
  return bytes === undefined || bytes === 0 ? "" : ` (${Math.min(100, Math.floor((100 * read) / bytes))} %)`;
}

function report({ lines, written, known, wrong, wrong_total }: Imported): string {
  const more = wrong_total > wrong.length ? [`… and ${wrong_total - wrong.length} more`] : [];
  return [
    `${counted(lines, "line")} read: ${counted(written, "event")} recorded, ${known} in the ledger already, ${counted(wrong_total, "line")} that could not be read.`,
    ...wrong.map(({ line, why }) => `line ${line}: ${why}`),
    ...more,
  ].join("\n");
}
