import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import { isRecord } from "../base/json-rpc.ts";
import { InputNeeded } from "./protocol/input-needed.ts";
import type { Result } from "./protocol/request.ts";
import type { SampleRequest } from "./request-context.ts";

const inputKey = "text";

type Sample = (request: SampleRequest) => Promise<string>;

/** How a tool asks the client's model in the 2025 revisions: a request during the call. */
export function legacySample(server: Server, context: ServerContext): Sample | undefined {
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (request) => textOf(await context.mcpReq.requestSampling(samplingParams(request)));
}

/** In 2026-07-28: the call ends, and comes again with the text; those of earlier rounds ride in the request state. */
export function modernSample(context: ServerContext): Sample | undefined {
  const { inputResponses } = context.mcpReq;
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  if (!isRecord(declared) || declared.sampling === undefined) return undefined;
  const earlier = textsIn(context.mcpReq.requestState());
  const now: unknown = inputResponses?.[inputKey];
  const all = now === undefined ? earlier : [...earlier, textOf(now)];
  let next = 0;
  return async (request) => {
    const text = all[next];
    next += 1;
    if (text !== undefined) return text;
    throw new InputNeeded(request, all);
  };
}

export function inputRequiredResult({ request, earlier }: InputNeeded): Result {
  return {
    resultType: "input_required",
    inputRequests: { [inputKey]: { method: "sampling/createMessage", params: samplingParams(request) } },
    requestState: JSON.stringify(earlier),
  };
}

/** The state is the client's own text come back: it is read as such, and trusted for nothing else. */
function textsIn(state: unknown): readonly string[] {
  if (typeof state !== "string") return [];
  try {
    const texts: unknown = JSON.parse(state);
    return Array.isArray(texts) ? texts.filter((it): it is string => typeof it === "string") : [];
  } catch {
    return [];
  }
}

export function samplingParams({ system, prompt, maxTokens }: SampleRequest) {
  const content = { type: "text" as const, text: prompt };
  return { systemPrompt: system, messages: [{ role: "user" as const, content }], maxTokens };
}

/** The text of a sampling result; a client that declined has none. */
export function textOf(result: unknown): string {
  const content = isRecord(result) ? result.content : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((it) => (isRecord(it) && typeof it.text === "string" ? [it.text] : []));
  if (texts.length === 0) throw new Error("The client's model gave no text.");
  return texts.join("\n");
}
