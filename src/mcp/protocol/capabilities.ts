import type { Surface } from "../surface.ts";
import type { Handlers } from "./request.ts";

/** Whether notifications outside a request reach the client through this endpoint. */
export type Delivers = "changes" | "answers-only";

export interface Capabilities {
  readonly tools: { readonly listChanged?: true };
  readonly resources?: { readonly listChanged?: true; readonly subscribe?: true };
  readonly prompts?: { readonly listChanged?: true };
  readonly completions?: Record<string, never>;
  readonly logging?: Record<string, never>;
}

/** What the handshake tells of a surface; a server that starts cold has it before there is a surface. */
export interface ServerInfo extends Pick<Surface, "name" | "title" | "version" | "instructions"> {
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
}

export function serverInfoOf({
  name,
  title,
  version,
  instructions,
  resources,
  templates,
  prompts,
}: Surface): ServerInfo {
  const hasResources = resources.length + templates.length > 0;
  return { name, title, version, instructions, hasResources, hasPrompts: prompts.length > 0 };
}

/** Declares what the surface has and the endpoint can keep: nothing is promised that would never arrive. */
export function capabilitiesOf({ hasResources, hasPrompts }: ServerInfo, delivers: Delivers): Capabilities {
  const changes = delivers === "changes";
  const listChanged = changes ? { listChanged: true as const } : {};
  return {
    tools: listChanged,
    ...(hasResources ? { resources: { ...listChanged, ...(changes ? { subscribe: true as const } : {}) } } : {}),
    ...(hasPrompts ? { prompts: listChanged } : {}),
    ...(hasResources || hasPrompts ? { completions: {} } : {}),
    ...(changes ? { logging: {} } : {}),
  };
}

/** The handlers that the capabilities stand for; the others are unknown methods. */
export function servable(handlers: Handlers, capabilities: Capabilities): Handlers {
  const { resources, prompts, completions, logging } = capabilities;
  const kept = (method: string): boolean => {
    if (method === "resources/subscribe" || method === "resources/unsubscribe") return resources?.subscribe === true;
    if (method.startsWith("resources/")) return resources !== undefined;
    if (method.startsWith("prompts/")) return prompts !== undefined;
    if (method === "completion/complete") return completions !== undefined;
    if (method === "logging/setLevel") return logging !== undefined;
    return true;
  };
  return new Map([...handlers].filter(([method]) => kept(method)));
}
