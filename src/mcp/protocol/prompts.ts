import type { PromptDefinition, Surface } from "../surface.ts";
import { callContext } from "./call-context.ts";
import { refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { icons } from "./icon.ts";
import type { Handler, Serving } from "./request.ts";

export function listPrompts(serving: Serving): Handler {
  return async (params, asked) => {
    refuseCursor(params.cursor);
    await serving.source.ready;
    const prompts = serving.surface().prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
      icons,
    }));
    return { prompts, ...(asked.era === "modern" ? { ttlMs: 60_000, cacheScope: "public" } : {}) };
  };
}

export function getPrompt(serving: Serving): Handler {
  return async (params, asked) => {
    if (!asked.caller.scopes.has("read")) {
      throw new Fault(faultCodes.invalidParams, 'Prompts need the scope "read", which this caller was not given.');
    }
    await serving.source.ready;
    const prompt = promptNamed(serving.surface(), params.name);
    const messages = prompt.get(callContext(serving, asked), argumentsFor(prompt, params.arguments));
    return { description: prompt.description, messages };
  };
}

export function promptNamed(surface: Surface, name: unknown): PromptDefinition {
  const prompt = surface.prompts.find((one) => one.name === name);
  if (prompt !== undefined) return prompt;
  throw new Fault(
    faultCodes.invalidParams,
    `Unknown prompt: ${String(name)}. prompts/list names the prompts of this server.`,
  );
}

function argumentsFor(prompt: PromptDefinition, given: unknown): Readonly<Record<string, string>> {
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
  const args: Record<string, string> = {};
  for (const [name, value] of entries) if (typeof value === "string") args[name] = value;
  const missing = prompt.arguments.find(({ name, required }) => required && (args[name] ?? "").trim() === "");
  if (missing === undefined) return args;
  throw new Fault(
    faultCodes.invalidParams,
    `The prompt ${prompt.name} needs ${missing.name}, as text: ${missing.description}`,
  );
}
