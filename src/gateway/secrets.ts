import { ConfigError, type ServerConfig } from "./config.ts";
import type { Environment } from "./environment.ts";

export interface ServerSecrets {
  /** Headers for every request to an external server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Variables for a managed server. */
  readonly env: Readonly<Record<string, string>>;
  /** Every value that must never be shown. */
  readonly values: readonly string[];
}

/** Reads what a server needs from the environment. Throws `ConfigError` for a variable that is missing or empty. */
export function serverSecrets(server: ServerConfig, environment: Environment): ServerSecrets {
  const values: string[] = [];
  const secret = (variable: string, use: string) => {
    const value = environment[variable];
    if (value === undefined || value.trim() === "") {
      throw new ConfigError(
        `"${server.name}": the environment variable ${variable} (${use}) is empty; set it or remove it from the file`,
      );
    }
    values.push(value);
    return value;
  };
  const headers: Record<string, string> = { ...server.headers };
  values.push(...Object.values(headers));
  if (server.auth?.type === "bearer")
    headers.Authorization = `Bearer ${secret(server.auth.secretKey, "auth.secretKey")}`;
  if (server.auth?.type === "header")
    headers[server.auth.headerName!] = secret(server.auth.secretKey, "auth.secretKey");
  const env: Record<string, string> = { ...server.env };
  values.push(...Object.values(env));
  for (const name of server.envFrom ?? []) env[name] = secret(name, "envFrom");
  return { headers, env, values };
}
