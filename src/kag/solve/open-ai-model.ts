import { z } from "zod";
import type { Model } from "../kag-host.ts";

export interface Endpoint {
  /** `https://models.example/v1`; `/chat/completions` is added when it is missing. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token, and never shown or logged. */
  readonly key?: string;
  readonly milliseconds?: number;
}

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** A model behind an OpenAI-compatible endpoint. Rejects with a sentence that holds no part of the key or the answer. */
export function openAiModel({ url, model, key, milliseconds = 60_000 }: Endpoint): Model {
  const base = url.replace(/\/+$/, "");
  const address = base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
  return async ({ system, prompt, maxTokens }, signal) => {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({
        model,
        temperature: 0,
        max_tokens: maxTokens,
        messages: [
          { role: "system", content: system },
          { role: "user", content: prompt },
        ],
      }),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the model's endpoint answered ${response.status}`);
    }
    const read = completionSchema.safeParse(await response.json().catch(() => undefined));
    if (!read.success) throw new Error("the model's endpoint did not answer in the chat-completions form");
    return read.data.choices[0]?.message.content ?? "";
  };
}
