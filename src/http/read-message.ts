import { isRecord } from "../base/json-rpc.ts";
import type { Exchange } from "./exchange.ts";
import { closing, type Refusal } from "./refuse.ts";

type Read = { readonly kind: "read"; readonly body: unknown } | { readonly kind: "refused"; readonly refusal: Refusal };

const batchLimit = 100;

/** The parsed JSON of a POST; `undefined` for the methods that have no body. */
export async function readMessage({ request, body }: Exchange): Promise<Read> {
  if (request.method !== "POST") return { kind: "read", body: undefined };
  if (!/^application\/json *(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    return refused(415, -32000, "Unsupported Media Type: the Content-Type of a message is application/json.");
  }
  const read = await body();
  if (read.kind === "too-large") {
    return refused(413, -32000, `Payload Too Large: a request body has at most ${read.limit} bytes.`);
  }
  if (read.kind === "broken-off") return refused(400, -32700, "Parse error: the body broke off.");
  const parsed = parse(read.bytes);
  if (parsed === undefined) return refused(400, -32700, "Parse error: the body is not valid JSON.");
  if (Array.isArray(parsed) && parsed.length > batchLimit) {
    return refused(400, -32600, `Invalid Request: a batch has at most ${batchLimit} messages.`);
  }
  if (!isRecord(parsed) && !Array.isArray(parsed)) {
    return refused(400, -32600, "Invalid Request: a message is a JSON object.");
  }
  return { kind: "read", body: parsed };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function refused(status: number, code: number, message: string): Read {
  return { kind: "refused", refusal: { status, code, message, headers: status === 413 ? closing : {} } };
}
