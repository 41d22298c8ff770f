import { fileURLToPath } from "node:url";
import { type Log, stderrLog } from "../../base/log.ts";
import { type Caller, localCaller } from "../../core/concept/caller.ts";
import type { Ledger } from "../../ledger/port.ts";
import type { Settings } from "../../settings/schema.ts";
import { readPacked } from "../../workspace/read-packed.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

/** The shipped vocabulary, beside the sources and beside the bundle alike. */
export function shippedConcepts(moduleUrl: string): string {
  return fileURLToPath(new URL(moduleUrl.endsWith(".ts") ? "../../../concepts" : "../concepts", moduleUrl));
}

export interface Opened {
  readonly log: Log;
  readonly caller: Caller;
  readonly workspace: Workspace;
  readonly ledger: Ledger;
}

/** What every command that answers needs; nothing is read from disk until it is asked for. */
export async function open(settings: Settings, { watch }: { readonly watch: boolean }): Promise<Opened> {
  const log = stderrLog(settings["log-level"]);
  return {
    log,
    caller: localCaller(settings.grant),
    workspace: openVocabulary(settings.concepts, log, watch),
    ledger: await openLedgerSetting(settings.ledger, log),
  };
}

function openVocabulary(given: string | undefined, log: Log, watch: boolean): Workspace {
  if (given !== undefined) return openWorkspace(given, { log, watch });
  const packedFile = fileURLToPath(new URL("./concepts.json", import.meta.url));
  return openWorkspace(shippedConcepts(import.meta.url), { log, watch, packed: () => readPacked(packedFile) });
}

/** The ledger of a setting: none, a file, a server, or the user's own file. */
export async function openLedgerSetting(where: string | undefined, log: Log): Promise<Ledger> {
  if (where === "none") return (await import("../../ledger/no-ledger.ts")).noLedger();
  const { openLedger } = await import("../../ledger/open-ledger.ts");
  return openLedger(where, { log, now: () => new Date() });
}
