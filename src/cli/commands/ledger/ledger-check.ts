import { counted } from "../../../base/english.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { withLedger } from "./with-ledger.ts";

/** `ledger check`: the store's own check, and the kept counts against a recount. Exit 1 when something is wrong. */
export function runLedgerCheck(json: boolean, settings: Settings, io: Io): Promise<number> {
  return withLedger(settings, io, async ({ ledger }) => {
    const report = await ledger.check();
    const found = report.ok ? "All is well." : report.problems.join("\n");
    const lines = [`Ledger: ${ledger.where}`, `${counted(report.events, "event")}; ${report.durability}`, found];
    print(io, json ? JSON.stringify({ where: ledger.where, ...report }, undefined, 2) : lines.join("\n"));
    return report.ok ? exitCodes.ok : exitCodes.found;
  });
}

/** `ledger backup FILE`: a consistent copy while others write. */
export function runLedgerBackup(file: string, settings: Settings, io: Io): Promise<number> {
  return withLedger(settings, io, async ({ ledger }) => {
    const { bytes } = await ledger.backup(file);
    print(io, `${ledger.where} is copied to ${file} (${counted(bytes, "byte")}).`);
    return exitCodes.ok;
  });
}
