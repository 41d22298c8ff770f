import { userInfo } from "node:os";
import { counted } from "../../../base/english.ts";
import type { Forgotten } from "../../../ledger/records.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { withLedger } from "./with-ledger.ts";

export interface ForgetArgs {
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  readonly concept?: string | undefined;
  readonly before?: string | undefined;
  readonly reason: string;
  /** Who asks for it; the user of this machine when absent. */
  readonly by?: string | undefined;
  readonly json: boolean;
}

/** `ledger forget`: empties what is named, leaves tombstones, records the act, and reports what went and what remains. */
export function runLedgerForget(args: ForgetArgs, settings: Settings, io: Io): Promise<number> {
  const { agent, session, concept, before, reason, by = userInfo().username, json } = args;
  return withLedger(settings, io, async ({ ledger, idOf }) => {
    const forgotten = await ledger.forget({
      by,
      reason,
      ...(agent === undefined ? {} : { agent }),
      ...(session === undefined ? {} : { session }),
      ...(concept === undefined ? {} : { concept: idOf(concept) }),
      ...(before === undefined ? {} : { before }),
    });
    print(io, json ? JSON.stringify(forgotten, undefined, 2) : report(forgotten));
    return exitCodes.ok;
  });
}

function report({ act, at, events, versions, from, to, remains }: Forgotten): string {
  const range = from === null ? "" : `, from ${from} to ${to}`;
  return [
    `${counted(events, "event")} emptied${range}. Their rows stay as tombstones with id, time and kind.`,
    ...(versions > 0 ? [`${counted(versions, "version")} of the concept emptied.`] : []),
    `The act is recorded as ${act}, ${at}.`,
    ...(remains.length > 0 ? ["What it could not reach:", ...remains.map((line) => `  ${line}`)] : []),
  ].join("\n");
}
