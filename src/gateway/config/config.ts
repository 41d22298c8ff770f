import { z } from "zod";
import { readYaml } from "../../core/concept/yaml-document.ts";

const text = z.string().min(1);
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const texts = maybe(z.array(z.string()));
const pairs = maybe(z.record(z.string(), z.coerce.string()));
/** Seconds. Zero and less mean the default, as the peer's bridge has it. */
const seconds = maybe(z.number()).transform((value) => (value !== undefined && value > 0 ? value : undefined));
const prefix = text.regex(/^[A-Za-z0-9_-]+$/, "use letters, digits, _ and - only");

const authSchema = z
  .strictObject({
    type: z.enum(["bearer", "header"]),
    /** The name of an environment variable, never a secret. */
    secretKey: text,
    headerName: maybe(text),
  })
  .refine((auth) => auth.type !== "header" || auth.headerName !== undefined, {
    message: 'auth.headerName is required for type "header"',
  });

const webUrl = z
  .string()
  .refine(isWebUrl, "it must be an absolute http or https URL")
  .refine((text) => !/^https?:\/\/[^/?#]*@/.test(text), "it holds a user or password; give them with auth or headers");

const shared = {
  name: text,
  url: maybe(webUrl),
  timeout: seconds,
  auth: maybe(authSchema),
  headers: pairs,
  toolsAllow: texts,
  toolsDeny: texts,
};

const serverSchema = z.strictObject({
  ...shared,
  toolsPrefix: prefix,
  transport: maybe(z.enum(["streamable-http", "sse"])),
  /** A managed server: started and kept alive by the gateway, spoken to over stdio. */
  command: maybe(text),
  args: texts,
  env: pairs,
  /** Names of variables handed on from the gateway's own environment; an empty one is refused. */
  envFrom: texts,
  cwd: maybe(text),
  suspended: maybe(z.boolean()),
  /** False: no hint of this server may make a host more careless; see `annotations.ts`. */
  trustAnnotations: maybe(z.boolean()),
});

const referenceSchema = z.strictObject({ ...shared, toolsPrefix: maybe(prefix) });

const fileSchema = z.strictObject({
  servers: maybe(z.array(serverSchema)).transform((list) => list ?? []),
  /** References in the form of an agent's `spec.mcpServers`; when there are any, only what they name is used. */
  mcpServers: maybe(z.array(referenceSchema)),
  /** Mounts the concept server, whose `iaip_*` names no upstream can take. */
  concepts: maybe(z.boolean()),
});

export type ServerConfig = z.infer<typeof serverSchema> & {
  /** The server is ours and answers by its caller's grants, which it takes by flag. No file can set it. */
  readonly takesGrants?: boolean;
};

/** A managed server of which nothing else is said. */
export function managedServer({
  takesGrants = false,
  ...server
}: Pick<ServerConfig, "name" | "toolsPrefix" | "takesGrants"> & {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFrom?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
}): ServerConfig {
  return { ...serverSchema.parse(server), takesGrants };
}

export type ServerReference = z.infer<typeof referenceSchema>;
export interface GatewayConfig {
  readonly servers: readonly ServerConfig[];
  readonly concepts: boolean;
}

/** A configuration that cannot be used. The message is one line for the person who wrote the file. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads `mcp-servers.yaml`. Throws `ConfigError`, naming the server, what is wrong and what is accepted. */
export function parseConfig(text: string, file: string): GatewayConfig {
  const value = fileValue(text, file);
  const parsed = fileSchema.safeParse(value ?? {});
  if (!parsed.success) throw new ConfigError(`${file}: ${firstIssue(parsed.error, value)}`);
  const { servers, mcpServers } = parsed.data;
  checkServers(servers, file);
  const effective = mcpServers === undefined ? servers : mcpServers.map((one) => resolveReference(one, servers, file));
  const concepts = parsed.data.concepts === true;
  checkNames(effective, concepts, file);
  return { servers: effective, concepts };
}

function fileValue(text: string, file: string): unknown {
  if (text.trim() === "") return undefined;
  const document = readYaml(file, text, "No server is started until it parses.");
  if (document.kind === "read") return document.value;
  const { range, message } = document.problems[0]!;
  throw new ConfigError(`${file}:${range.start.line + 1}:${range.start.character + 1}: ${message}`);
}

/**
 * A reference over the server it names: what the reference sets replaces the server's, lists whole and unmerged; what
 * it leaves empty is inherited. An inline URL wins over the server's address.
 */
export function resolveReference(
  reference: ServerReference,
  servers: readonly ServerConfig[],
  file = "mcp-servers.yaml",
): ServerConfig {
  const server = servers.find((one) => one.name === reference.name);
  if (server === undefined && reference.url === undefined) {
    const known = servers.map((one) => one.name).join(", ") || "none";
    throw new ConfigError(
      `${file}: mcpServers names "${reference.name}", which is not under servers (there: ${known})`,
    );
  }
  const own = Object.fromEntries(Object.entries(reference).filter(([, value]) => !isEmpty(value)));
  const base = server ?? { toolsPrefix: undefined };
  const address = reference.url === undefined ? {} : { command: undefined, args: undefined, env: undefined };
  const merged = { ...base, ...address, ...own };
  if (merged.toolsPrefix === undefined) throw new ConfigError(`${file}: "${reference.name}": toolsPrefix is required`);
  return merged as ServerConfig;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function checkServers(servers: readonly ServerConfig[], file: string): void {
  for (const server of servers) {
    const both = server.url !== undefined && server.command !== undefined;
    if (both || (server.url === undefined && server.command === undefined)) {
      throw new ConfigError(`${file}: "${server.name}" needs either a url (external) or a command (managed)`);
    }
    if (server.command !== undefined && (server.auth !== undefined || server.headers !== undefined)) {
      throw new ConfigError(
        `${file}: "${server.name}" is started by command; give it secrets with envFrom, not auth or headers`,
      );
    }
  }
}

function checkNames(servers: readonly ServerConfig[], concepts: boolean, file: string): void {
  for (const [index, server] of servers.entries()) {
    if (concepts && /^iaip(_|$)/.test(server.toolsPrefix)) {
      throw new ConfigError(
        `${file}: "${server.name}": the prefix ${server.toolsPrefix} would take names iaip_* of the mounted concept server; choose another`,
      );
    }
    for (const other of servers.slice(0, index)) checkPair(other, server, file);
  }
}

/** With no prefix the start of another, final names of two upstreams cannot meet. */
function checkPair(first: ServerConfig, second: ServerConfig, file: string): void {
  const said = `"${first.name}" and "${second.name}"`;
  if (first.name === second.name) throw new ConfigError(`${file}: two servers are named "${first.name}"`);
  const [a, b] = [`${first.toolsPrefix}_`, `${second.toolsPrefix}_`];
  if (a === b) throw new ConfigError(`${file}: ${said} have the same toolsPrefix ${first.toolsPrefix}`);
  if (a.startsWith(b) || b.startsWith(a)) {
    throw new ConfigError(
      `${file}: the prefixes of ${said} are ambiguous: ${first.toolsPrefix}_ and ${second.toolsPrefix}_; neither may begin with the other`,
    );
  }
}

function firstIssue(error: z.ZodError, data: unknown): string {
  const issue = error.issues[0]!;
  const [list, index, ...rest] = issue.path;
  const named = typeof index === "number" ? nameAt(data, String(list), index) : [list, index].filter(Boolean).join(".");
  return [named, rest.join("."), issue.message].filter((part) => part !== undefined && part !== "").join(": ");
}

function nameAt(data: unknown, list: string, index: number): string {
  const entry = (data as Record<string, { name?: unknown }[] | undefined> | null)?.[list]?.[index];
  return typeof entry?.name === "string" && entry.name !== ""
    ? `${list}[${index}] "${entry.name}"`
    : `${list}[${index}]`;
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/.test(text) && URL.canParse(text);
}
