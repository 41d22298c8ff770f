import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import { isRecord } from "../base/json-rpc.ts";
import { InputNeeded } from "./protocol/input-needed.ts";
import type { Result } from "./protocol/request.ts";
import { samplingParams, textOf } from "./sampling-params.ts";
import type { SampleRequest } from "./surface.ts";

const inputKey = "words";

type Sample = (request: SampleRequest) => Promise<string>;

/** How a tool asks the client's model in the 2025 revisions: a request during the call. */
export function legacySample(server: Server, context: ServerContext): Sample | undefined {
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (request) => textOf(await context.mcpReq.requestSampling(samplingParams(request)));
}

/** In 2026-07-28: the call ends, and comes again with the words; those of earlier rounds ride in the request state. */
export function modernSample(context: ServerContext): Sample | undefined {
  const { inputResponses } = context.mcpReq;
  const envelope: Readonly<Record<string, unknown>> = { ...context.mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  if (!isRecord(declared) || declared.sampling === undefined) return undefined;
  const told = wordsIn(context.mcpReq.requestState());
  const now: unknown = inputResponses?.[inputKey];
  const all = now === undefined ? told : [...told, textOf(now)];
  let asked = 0;
  return async (request) => {
    const words = all[asked];
    asked += 1;
    if (words !== undefined) return words;
    throw new InputNeeded(request, all);
  };
}

export function inputRequiredResult({ request, told }: InputNeeded): Result {
  return {
    resultType: "input_required",
    inputRequests: { [inputKey]: { method: "sampling/createMessage", params: samplingParams(request) } },
    requestState: JSON.stringify(told),
  };
}

/** The state is the client's own words come back: it is read as such, and trusted for nothing else. */
function wordsIn(state: unknown): readonly string[] {
  if (typeof state !== "string") return [];
  try {
    const words: unknown = JSON.parse(state);
    return Array.isArray(words) ? words.filter((it): it is string => typeof it === "string") : [];
  } catch {
    return [];
  }
}
