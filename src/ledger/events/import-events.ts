import type { Ledger } from "../port.ts";
import type { LedgerEvent } from "./event.ts";
import { eventProblem } from "./event-check.ts";
import { eventFromLine } from "./event-lines.ts";

export interface Imported {
  readonly lines: number;
  readonly written: number;
  /** Already in the ledger by their ids: an import that was broken off goes on by being run again. */
  readonly known: number;
  readonly wrong: readonly { readonly line: number; readonly why: string }[];
  readonly wrong_total: number;
}

const batchSize = 1_000;
const wrongLimit = 20;

/** Reads JSON lines into the ledger, a batch at a time; a wrong line is told and the rest goes on. */
export async function importEvents(
  ledger: Ledger,
  lines: AsyncIterable<string>,
  progress: (imported: Imported) => void = () => {},
): Promise<Imported> {
  const so: { lines: number; written: number; known: number; wrong_total: number } = {
    lines: 0,
    written: 0,
    known: 0,
    wrong_total: 0,
  };
  const wrong: { readonly line: number; readonly why: string }[] = [];
  let batch: LedgerEvent[] = [];
  const write = async () => {
    const { written, known } = await ledger.recordBatch(batch);
    batch = [];
    so.written += written;
    so.known += known;
    progress({ ...so, wrong });
  };
  for await (const line of lines) {
    so.lines++;
    if (line.trim() === "") continue;
    const read = eventFromLine(line, so.lines);
    const why = read.kind === "wrong" ? read.why : eventProblem(read.event);
    if (read.kind === "event" && why === undefined) batch.push(read.event);
    else {
      so.wrong_total++;
      if (wrong.length < wrongLimit) wrong.push({ line: so.lines, why: why ?? "" });
    }
    if (batch.length === batchSize) await write();
  }
  if (batch.length > 0) await write();
  return { ...so, wrong };
}
