import { isRecord } from "../../base/json-rpc.ts";

export type Params = Readonly<Record<string, unknown>>;

/** Parameters with more in `_meta`; what is named again is replaced. */
export function withMeta(params: Params, meta: Params): Params {
  const before = isRecord(params._meta) ? params._meta : {};
  return { ...params, _meta: { ...before, ...meta } };
}

/** W3C trace context, which travels in `_meta` and, over HTTP, in headers as well. */
export const traceKeys = ["traceparent", "tracestate", "baggage"] as const;

export function traceHeaders(params: Params): Readonly<Record<string, string>> {
  const meta = isRecord(params._meta) ? params._meta : {};
  return Object.fromEntries(traceKeys.flatMap((key) => (typeof meta[key] === "string" ? [[key, meta[key]]] : [])));
}

/** The reason in one line; `fetch` hides it in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error && error.cause.message !== "" ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.replace(/\s+/g, " ").slice(0, 500);
}
