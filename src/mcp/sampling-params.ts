import { isRecord } from "../base/json-rpc.ts";
import type { SampleRequest } from "./surface.ts";

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
