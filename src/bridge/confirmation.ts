import { type CallContent, isRecord } from "./result-content.ts";

/** In `_meta` of a result or of one of its blocks, `true` says: nothing was committed, ask first. */
export const META_NEEDS_CONFIRMATION = "cogno-mcp/needs_confirmation";
/** Beside it, the arguments that the confirmed call has to carry. */
export const META_CONFIRM_ARGUMENTS = "cogno-mcp/confirm_arguments";

export interface Confirmation {
  readonly needed: boolean;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Only a strict `true` counts; the first carrier of arguments wins, and only when the flag is set. */
export function readConfirmation(call: CallContent): Confirmation {
  const carriers = [call.meta, ...call.content.map((block) => block._meta)].filter(isRecord);
  if (!carriers.some((meta) => meta[META_NEEDS_CONFIRMATION] === true)) return { needed: false, arguments: {} };
  const carrier = carriers.find((meta) => isRecord(meta[META_CONFIRM_ARGUMENTS]));
  const args = carrier?.[META_CONFIRM_ARGUMENTS];
  return { needed: true, arguments: isRecord(args) ? args : {} };
}
