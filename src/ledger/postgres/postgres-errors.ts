import { LedgerMisconfigured, LedgerUnavailable } from "../port.ts";

/** The server is away, starting, changing over or overloaded, or two transactions met: the same again may go well. */
export function mayPass(error: unknown): boolean {
  const { code, message } = faultOf(error);
  return passing.test(code) || /connection terminated|timeout exceeded|connection ended|not queryable/i.test(message);
}

/** The row is there already. */
export function isDuplicate(error: unknown): boolean {
  return faultOf(error).code === "23505";
}

/** What an engine says to a statement that it does not know. */
export function isUnsupported(error: unknown): boolean {
  return /^(0A000|42601|42704|42883|42P01|42P16|42P17)$/.test(faultOf(error).code);
}

export function faultOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return { code: typeof code === "string" ? code : "", message: typeof message === "string" ? message : "" };
}

/** The sentence for what the server or the network said; anything else is a bug and goes on as it is. */
export function asLedgerError(error: unknown, where: string, wanted: "read" | "write"): unknown {
  const { code, message } = faultOf(error);
  if (/does not support SSL/i.test(message)) {
    return new LedgerMisconfigured(
      `The server of the ledger ${where} takes no TLS, and the address asks for it; take sslmode out of it or turn TLS on at the server.`,
      { cause: error },
    );
  }
  if (error instanceof LedgerUnavailable || (code === "" && !mayPass(error))) return error;
  const outcome = wanted === "write" ? " Nothing was recorded." : "";
  return new LedgerUnavailable(`${sentence(code, message, where, mayPass(error))}${outcome}`, { cause: error });
}

function sentence(code: string, message: string, where: string, passes: boolean): string {
  if (/^28/.test(code)) return `The ledger ${where} does not let this user in; look at the user and the password.`;
  if (code === "3D000") return `The database of the ledger ${where} does not exist; create it first.`;
  if (code === "42501") return `The user of the ledger ${where} lacks a right there (${message}).`;
  if (/^53/.test(code)) return `The server of the ledger ${where} is out of room (${message}).`;
  if (code === "25006") return `The server of the ledger ${where} takes no writes now (${message}).`;
  if (passes) return `The ledger ${where} cannot be reached now (${message}); try again.`;
  return `The ledger ${where} cannot be used (${code}: ${message}).`;
}

const passing =
  /^(ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|08\w{3}|57P0[1-5]|40001|40P01|25006|53300)$/;
