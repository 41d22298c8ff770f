import type { HttpServing } from "../../mcp/http/serve.ts";
import { serveMcpHttp } from "../../mcp/http/serve.ts";
import { kagAccess } from "./kag-access.ts";
import { kagRoutes } from "./kag-routes.ts";

export interface KagServing extends Omit<HttpServing, "access" | "routes" | "probeLedger"> {
  /** What every request must carry, or be exchanged for. Never empty. */
  readonly key: string;
  readonly projectId: () => string | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Characters that a bearer token can hold. */
export const keyPattern = /^[A-Za-z0-9._~+/=-]{1,8192}$/;

/** The four tools on `/mcp`, with `/tokens` and `/healthz` beside it. Containers reach their host under its usual name. */
export function serveKagHttp(options: KagServing): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { key, projectId, now = Date.now } = options;
  if (!keyPattern.test(key)) throw new Error("the key is no bearer token");
  const seconds = (): number => now() / 1_000;
  const { access, holdsKey } = kagAccess(key, seconds);
  return serveMcpHttp({
    ...options,
    access,
    allowHosts: ["host.docker.internal", ...(options.allowHosts ?? [])],
    routes: kagRoutes({ key, holdsKey, projectId, now: seconds }),
    probeLedger: async () => {},
  });
}
