import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { scopes } from "../core/concept/caller.ts";
import { makeToken, parseTokenFile, printTokenFile, type StoredToken } from "../http/auth/token-file.ts";
import { exitCodes, type Io, print, UsageError } from "./io.ts";

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
  const tokens = read(path);
  if (args.action === "create") return create(path, tokens, args, io);
  if (args.action === "revoke") return revoke(path, tokens, args.token, io);
  return list(tokens, io);
}

function create(path: string, tokens: readonly StoredToken[], args: Extract<TokenArgs, { action: "create" }>, io: Io) {
  const { name, protocols } = args;
  if (name.trim() === "") throw new UsageError("Give the token a name that says who it is for: --name NAME.");
  if (tokens.some((token) => token.name === name)) {
    throw new UsageError(`There is a token named ${name} already. Revoke it first, or give another name.`);
  }
  const expires = args.expires === undefined ? {} : { expires: moment(args.expires) };
  const asked = { name, scopes: args.scopes.map(knownScope), protocols: [...protocols], ...expires };
  const { secret, stored } = makeToken(asked, new Date());
  write(path, [...tokens, stored]);
  io.stderr.write(`This is shown once and stored nowhere; ${path} keeps its hash. Its id is ${stored.id}.\n`);
  print(io, secret);
  return exitCodes.ok;
}

function list(tokens: readonly StoredToken[], io: Io) {
  if (tokens.length === 0) io.stderr.write("There are no tokens.\n");
  const now = Date.now();
  for (const { id, name, scopes: given, protocols, created, expires } of tokens) {
    const end = expires === undefined ? "" : Date.parse(expires) <= now ? `expired ${expires}` : `until ${expires}`;
    const opens = protocols.length === 0 ? "" : `protocols ${protocols.join(",")}`;
    print(io, [id, name, given.join(","), opens, `since ${created}`, end].filter(Boolean).join("  "));
  }
  return exitCodes.ok;
}

function revoke(path: string, tokens: readonly StoredToken[], which: string, io: Io) {
  const found = tokens.filter(({ id, name }) => id === which || name === which);
  const [token] = found;
  if (token === undefined) throw new UsageError(`There is no token ${which}. \`iaip-dsl token list\` shows them.`);
  if (found.length > 1) throw new UsageError(`${which} means ${found.map(({ id }) => id).join(" and ")}. Give one id.`);
  write(
    path,
    tokens.filter(({ id }) => id !== token.id),
  );
  print(io, `${token.name} (${token.id}) is revoked; running servers refuse it within a second.`);
  return exitCodes.ok;
}

function read(path: string): readonly StoredToken[] {
  if (!existsSync(path)) return [];
  const file = parseTokenFile(readFileSync(path, "utf8"));
  if (file.kind === "read") return file.tokens;
  throw new UsageError(`${path} is no token file: ${file.reason}. It was left as it is.`);
}

/** Readable by its owner alone, and never seen half written. */
function write(path: string, tokens: readonly StoredToken[]): void {
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, printTokenFile(tokens), { mode: 0o600, flush: true });
  renameSync(next, path);
}

function knownScope(given: string): (typeof scopes)[number] {
  const found = scopes.find((scope) => scope === given);
  if (found !== undefined) return found;
  throw new UsageError(`${given} is no scope. Scopes are ${scopes.join(", ")}.`);
}

function moment(given: string): string {
  const time = Date.parse(given);
  if (Number.isNaN(time)) throw new UsageError(`${given} is no date. Write it as 2027-01-31.`);
  if (time <= Date.now()) throw new UsageError(`${given} is past; a token that expires then opens nothing.`);
  return new Date(time).toISOString();
}
