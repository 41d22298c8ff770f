import { ConfigError, type ServerConfig } from "./config.ts";
import type { Environment } from "./environment.ts";

export interface ServerSecrets {
  /** Headers for every request to an external server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Variables for a managed server. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret values: taken out of everything that the server sends, its results included. */
  readonly secrets: readonly string[];
  /** Every configured value, taken out of errors, logs and the status: some of these may be ordinary words. */
  readonly values: readonly string[];
}

/** Reads what a server needs from the environment. Throws `ConfigError` for a variable that is missing or empty. */
export function serverSecrets(server: ServerConfig, environment: Environment): ServerSecrets {
  const secrets: string[] = [];
  const secret = (variable: string, use: string) => {
    const value = environment[variable];
    if (value === undefined || value.trim() === "") {
      throw new ConfigError(
        `"${server.name}": the environment variable ${variable} (${use}) is empty; set it or remove it from the file`,
      );
    }
    secrets.push(value);
    return value;
  };
  const headers: Record<string, string> = { ...server.headers };
  const env: Record<string, string> = { ...server.env };
  const configured = [...Object.entries(headers), ...Object.entries(env)];
  secrets.push(...configured.flatMap(([name, value]) => secretsIn(name, value)));
  secrets.push(...(server.url === undefined ? [] : secretsInUrl(server.url)), ...secretsInArgs(server.args ?? []));
  if (server.auth?.type === "bearer")
    headers.Authorization = `Bearer ${secret(server.auth.secretKey, "auth.secretKey")}`;
  if (server.auth?.type === "header")
    headers[server.auth.headerName!] = secret(server.auth.secretKey, "auth.secretKey");
  for (const name of server.envFrom ?? []) env[name] = secret(name, "envFrom");
  return { headers, env, secrets, values: [...secrets, ...configured.map(([, value]) => value)] };
}

const secretName =
  /(?:^|[_.-])(?:PAT|PWD)(?:$|[_.-])|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|AUTHORIZATION|(?:API|ACCESS|PRIVATE|ENCRYPTION|SIGNING|SERVICE|AUTH)[_.-]?KEY|[_.-]KEY$|^KEY$/i;

function secretsIn(name: string, value: string): readonly string[] {
  if (!secretName.test(name)) return secretsInUrl(value);
  return [value, ...(/^(?:Bearer|Basic|Token) +(\S+)$/i.exec(value)?.slice(1) ?? [])];
}

/** The password and the secret parameters of an address. */
function secretsInUrl(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  const named = [...searchParams].flatMap(([name, value]) => (secretName.test(name) ? [value] : []));
  return [...(password === "" ? [] : [password, decoded(password)]), ...named];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `--token VALUE` and `--token=VALUE`, and what addresses among the arguments hold. */
function secretsInArgs(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, flag = "", value] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (!secretName.test(flag)) return secretsInUrl(value ?? arg);
    const next = value ?? args[index + 1];
    return next === undefined || next.startsWith("--") ? [] : [next];
  });
}
