import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { parseFile } from "../../../core/concept/parse-file.ts";
import { resolve } from "../../../core/queries/resolve.ts";
import { LedgerUnavailable } from "../../../ledger/port.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";

export interface Withdrawal {
  readonly concept: string;
  readonly reason: string;
  /** Whom to ask about it from now on. */
  readonly contact: string;
  /** ISO date; today when absent. */
  readonly at?: string | undefined;
}

/**
 * Withdraws a concept: its file says so at once, and every running server puts the notice in place of the content with
 * its next answer. The act is recorded in the ledger; a ledger that cannot write does not hold it up.
 */
export async function runConceptsWithdraw(withdrawal: Withdrawal, settings: Settings, io: Io): Promise<number> {
  const { workspace, caller, ledger } = await open(settings, { watch: false });
  try {
    await workspace.ready;
    const { snapshot, folder } = workspace;
    const found = resolve(snapshot.viewFor(caller), withdrawal.concept);
    if (found.kind !== "found")
      throw new UsageError(
        `No single concept goes by ${JSON.stringify(withdrawal.concept)}. Give its id; see iaip-dsl concepts list.`,
      );
    const { id, name } = found.concept.concept;
    const at = withdrawal.at ?? new Date().toISOString().slice(0, 10);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(at))
      throw new UsageError(`--date takes YYYY-MM-DD; ${JSON.stringify(at)} was given.`);
    const { file } = snapshot.placeOf(id)!;
    writeWithdrawn(folder, file, { at, reason: withdrawal.reason, contact: withdrawal.contact });
    print(io, `${name} (${id}) is withdrawn since ${at}. ${join(folder, file)} says so; its content is told no more.`);
    await ledger
      .record({ type: "withdrawal", concept: id, agent: "steward", context: withdrawal.reason })
      .catch((error: unknown) => {
        if (!(error instanceof LedgerUnavailable)) throw error;
        io.stderr.write(`The withdrawal stands; only the ledger could not record it: ${error.message}\n`);
      });
    return exitCodes.ok;
  } finally {
    await ledger.close();
    await workspace.dispose();
  }
}

function writeWithdrawn(
  folder: string,
  file: string,
  withdrawn: { at: string; reason: string; contact: string },
): void {
  const path = join(folder, file);
  const document = parseDocument(readFileSync(path, "utf8"));
  document.set("withdrawn", document.createNode(withdrawn));
  const text = document.toString({ lineWidth: 110 });
  const { problems } = parseFile(file, text);
  if (problems.length > 0) throw new UsageError(`${path} has problems; mend them first: ${problems[0]!.message}`);
  const aside = `${path}.new`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}
