import { visibleLine } from "../../../base/visible-text.ts";
import type { ConceptVersion } from "../../../ledger/records.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { withLedger } from "./with-ledger.ts";

export interface HistoryArgs {
  readonly concept: string;
  readonly json: boolean;
}

/** `history ID`: how the text of a concept changed, as far as a server of this ledger saw it. */
export function runHistory({ concept: name, json }: HistoryArgs, settings: Settings, io: Io): Promise<number> {
  return withLedger(settings, io, async ({ ledger, hidden, mayRead, idOf }) => {
    const concept = idOf(name);
    const all = hidden.has(concept) ? [] : await ledger.history(concept);
    const versions = mayRead(concept) ? all : all.map((version) => ({ ...version, fields: null }));
    print(io, json ? JSON.stringify(versions, undefined, 2) : historyText(concept, versions));
    return versions.length > 0 ? exitCodes.ok : exitCodes.found;
  });
}

function historyText(concept: string, versions: readonly ConceptVersion[]): string {
  if (versions.length === 0)
    return `The ledger has no version of ${concept}. A server with this ledger keeps one when it loads the concept; one that could not write to the ledger kept none.`;
  return versions.flatMap((version, i) => [headline(version), ...changes(version, versions[i - 1])]).join("\n");
}

function headline({ version, at, changed, withdrawn }: ConceptVersion): string {
  const what = version === 1 ? "first seen" : changed.length > 0 ? `changed: ${changed.join(", ")}` : "changed";
  return `Version ${version}, ${at}, ${what}${withdrawn ? " (withdrawn)" : ""}`;
}

function changes(version: ConceptVersion, before: ConceptVersion | undefined): readonly string[] {
  if (version.fields === null) return ["  The text is not disclosed here."];
  if (before === undefined) return version.fields.definition ? [`  ${visibleLine(version.fields.definition)}`] : [];
  return version.changed.flatMap((field) => [
    `  ${field}`,
    `    was: ${visibleLine(before.fields?.[field] ?? "(nothing)")}`,
    `    now: ${visibleLine(version.fields?.[field] ?? "(nothing)")}`,
  ]);
}
