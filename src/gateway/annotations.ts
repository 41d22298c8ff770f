import { isRecord } from "../base/json-rpc.ts";
import type { Params } from "./meta.ts";

/** Where an untrusted server's own annotations are kept, for people to read. */
export const META_CLAIMED = "iaip-dsl/claimed-annotations";

/**
 * A tool of an untrusted server, with hints that can only make a host more careful: it may change things, and destroy.
 * What the server claimed stays readable in `_meta`. The title is no hint and stays.
 */
export function distrusted(tool: Params): Params {
  const claimed = isRecord(tool.annotations) ? tool.annotations : undefined;
  const title = typeof claimed?.title === "string" ? { title: claimed.title } : {};
  const careful = { ...title, readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  const meta = isRecord(tool._meta) ? tool._meta : {};
  return {
    ...tool,
    annotations: careful,
    ...(claimed === undefined ? {} : { _meta: { ...meta, [META_CLAIMED]: claimed } }),
  };
}
