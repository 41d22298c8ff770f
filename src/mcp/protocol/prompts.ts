import type { PromptDefinition, Surface } from "../surface.ts";
import { refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { iconsFor } from "./icon.ts";
import type { Handler } from "./request.ts";
import { firstRevision, since } from "./revision.ts";

export const listPrompts: Handler = ({ cursor }, { surface, era, revision }) => {
  refuseCursor(cursor);
  const prompts = surface.prompts.map(({ name, title, description, arguments: args }) => ({
    name,
    ...since(revision, firstRevision.titles, { title }),
    description,
    arguments: args,
    ...iconsFor(revision),
  }));
  return { prompts, ...(era === "modern" ? { ttlMs: 60_000, cacheScope: "public" } : {}) };
};

export const getPrompt: Handler = (params, context) => {
  if (!context.caller.scopes.has("read")) {
    throw new Fault(faultCodes.invalidParams, 'Prompts need the scope "read", which this caller was not given.');
  }
  const prompt = promptNamed(context.surface, params.name);
  const messages = prompt.get(context, argumentsFor(prompt, params.arguments));
  return { description: prompt.description, messages };
};

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
