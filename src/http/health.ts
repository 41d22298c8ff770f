import type { ServerResponse } from "node:http";
import type { Caller } from "../core/concept/caller.ts";
import type { Route } from "./exchange.ts";

export interface Readiness {
  readonly isReady: boolean;
  /** Said to callers who may read, and to nobody else. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * `/healthz` says that the process answers. `/readyz` says whether it should be called: one word to a probe, which has
 * no token; the details to callers who may read. A token that is not known is refused as on every other route.
 */
export function healthRoutes(readiness: (caller: Caller) => Promise<Readiness>): readonly Route[] {
  const methods = ["GET", "HEAD"];
  return [
    {
      paths: ["/healthz"],
      methods,
      open: "always",
      handle: async ({ response }) => send(response, 200, { status: "ok" }),
    },
    {
      paths: ["/readyz"],
      methods,
      open: "without-token",
      handle: async ({ response, caller }) => {
        const { isReady, details } = await readiness(caller);
        const said = caller.scopes.has("read") ? details : {};
        send(response, isReady ? 200 : 503, { status: isReady ? "ready" : "not ready", ...said });
      },
    },
  ];
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
