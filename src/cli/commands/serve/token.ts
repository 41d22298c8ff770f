import { readFileSync } from "node:fs";
import { changeLocked } from "../../../base/locked-file.ts";
import { scopes } from "../../../core/concept/caller.ts";
import { makeToken, parseTokenFile, printTokenFile, type StoredToken } from "../../../http/auth/token-file.ts";
import { exitCodes, type Io, print, UsageError } from "../../kit/io.ts";

export type TokenArgs =
  | {
      readonly action: "create";
      /** Who it is for. */
      readonly name: string;
      readonly scopes: readonly string[];
      /** Community protocols; only somebody who may grant them gives these. */
      readonly protocols: readonly string[];
      /** A day or a moment, as ISO 8601 has it. */
      readonly expires?: string;
    }
  | { readonly action: "list" }
  /** An id, or a name that only one token has. */
  | { readonly action: "revoke"; readonly token: string };

/** Keeps the file of bearer tokens. A running server reads the change by itself. */
export async function runToken(
  args: TokenArgs,
  { "token-file": path }: { readonly "token-file"?: string | undefined },
  io: Io,
) {
  if (path === undefined) throw new UsageError("Which file holds the tokens? Give --token-file FILE.");
  if (args.action === "create") return await create(path, args, io);
  if (args.action === "revoke") return await revoke(path, args.token, io);
  return list(path, io);
}

async function create(path: string, args: Extract<TokenArgs, { action: "create" }>, io: Io): Promise<number> {
  const { name, protocols } = args;
  if (name.trim() === "") throw new UsageError("Give the token a name that says who it is for: --name NAME.");
  const expires = args.expires === undefined ? {} : { expires: instantOf(args.expires) };
  const wanted = { name, scopes: args.scopes.map(knownScope), protocols: [...protocols], ...expires };
  const { secret, stored } = await change(path, (tokens) => {
    if (tokens.some((token) => token.name === name))
      throw new UsageError(`There is a token named ${name} already. Revoke it first, or give another name.`);
    const made = makeToken(wanted, new Date());
    return { tokens: [...tokens, made.stored], value: made };
  });
  io.stderr.write(`This is shown once and stored nowhere; ${path} keeps its hash. Its id is ${stored.id}.\n`);
  print(io, secret);
  return exitCodes.ok;
}

function list(path: string, io: Io): number {
  const tokens = tokensIn(path, readIfThere(path));
  if (tokens.length === 0) io.stderr.write("There are no tokens.\n");
  const now = Date.now();
  for (const { id, name, scopes: given, protocols, created, expires } of tokens) {
    const end = expires === undefined ? "" : Date.parse(expires) <= now ? `expired ${expires}` : `until ${expires}`;
    const opens = protocols.length === 0 ? "" : `protocols ${protocols.join(",")}`;
    print(io, [id, name, given.join(","), opens, `since ${created}`, end].filter(Boolean).join("  "));
  }
  return exitCodes.ok;
}

async function revoke(path: string, which: string, io: Io): Promise<number> {
  const token = await change(path, (tokens) => {
    const found = tokens.filter(({ id, name }) => id === which || name === which);
    const [one] = found;
    if (one === undefined) throw new UsageError(`There is no token ${which}. \`iaip-dsl token list\` shows them.`);
    if (found.length > 1)
      throw new UsageError(`${which} means ${found.map(({ id }) => id).join(" and ")}. Give one id.`);
    return { tokens: tokens.filter(({ id }) => id !== one.id), value: one };
  });
  print(io, `${token.name} (${token.id}) is revoked; running servers refuse it within a second.`);
  return exitCodes.ok;
}

/** Changes the file while no other command does, so that none of two changes made at once is lost. */
async function change<T>(
  path: string,
  make: (tokens: readonly StoredToken[]) => { readonly tokens: readonly StoredToken[]; readonly value: T },
): Promise<T> {
  try {
    return await changeLocked(path, (text) => {
      const { tokens, value } = make(tokensIn(path, text));
      return { text: printTokenFile(tokens), value };
    });
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`${path} cannot be changed: ${(error as Error).message}`);
  }
}

function tokensIn(path: string, text: string | undefined): readonly StoredToken[] {
  if (text === undefined) return [];
  const file = parseTokenFile(text);
  if (file.kind === "read") return file.tokens;
  throw new UsageError(`${path} is no token file: ${file.reason}. It was left as it is.`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`${path} cannot be read: ${message}`);
  }
}

function knownScope(given: string): (typeof scopes)[number] {
  const found = scopes.find((scope) => scope === given);
  if (found !== undefined) return found;
  throw new UsageError(`${given} is no scope. Scopes are ${scopes.join(", ")}.`);
}

function instantOf(given: string): string {
  const time = Date.parse(given);
  if (Number.isNaN(time)) throw new UsageError(`${given} is no date. Write it as 2027-01-31.`);
  if (time <= Date.now()) throw new UsageError(`${given} is past; a token that expires then opens nothing.`);
  return new Date(time).toISOString();
}
