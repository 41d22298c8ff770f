import type { CallContext, ResourceTemplateDefinition, ResourceText, Surface } from "../surface.ts";
import { callContext } from "./call-context.ts";
import { Connection } from "./connection.ts";
import { page, refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { icons } from "./icon.ts";
import type { Handler, ProtocolRequest, Result, Serving } from "./request.ts";

/** Longer addresses are refused before anything looks at them. */
const uriLimit = 2048;

export function listResources(serving: Serving): Handler {
  return async (params, asked) => {
    requireRead(asked);
    await serving.source.ready;
    const all = allResources(serving.surface(), callContext(serving, asked));
    const { items, ...next } = page(all, ({ uri }) => uri, params.cursor);
    return { resources: items, ...next, ...cached(asked, "private") };
  };
}

export function listTemplates(serving: Serving): Handler {
  return async (params, asked) => {
    refuseCursor(params.cursor);
    await serving.source.ready;
    const resourceTemplates = serving
      .surface()
      .templates.map(({ uriTemplate, name, title, description, mimeType }) => ({
        uriTemplate,
        name,
        title,
        description,
        mimeType,
        icons,
      }));
    return { resourceTemplates, ...cached(asked, "public") };
  };
}

export function readResource(serving: Serving): Handler {
  return async (params, asked) => {
    requireRead(asked);
    const uri = uriOf(params, "resources/read");
    await serving.source.ready;
    const text = await find(serving.surface(), callContext(serving, asked), uri);
    if (text === undefined) throw unknownResource(uri);
    return { contents: [text], ...cached(asked, "private") };
  };
}

export function subscribe(serving: Serving): Handler {
  return async (params, asked) => {
    requireRead(asked);
    const uri = uriOf(params, "resources/subscribe");
    await serving.source.ready;
    const known = await find(serving.surface(), callContext(serving, asked), uri);
    if (known === undefined) throw unknownResource(uri);
    const { subscriptions } = asked.connection;
    if (!subscriptions.has(uri) && subscriptions.size >= Connection.subscriptionLimit) {
      throw new Fault(
        faultCodes.invalidParams,
        `This connection already follows ${Connection.subscriptionLimit} resources. Unsubscribe from one first.`,
      );
    }
    subscriptions.add(uri);
    return {};
  };
}

export function unsubscribe(): Handler {
  return async (params, asked) => {
    asked.connection.subscriptions.delete(uriOf(params, "resources/unsubscribe"));
    return {};
  };
}

/** Everything that can be read, one entry a resource, in stable order: the fixed ones, then each template's values. */
export function allResources(surface: Surface, context: CallContext): readonly (Result & { readonly uri: string })[] {
  const fixed = surface.resources.map(({ uri, name, title, description, mimeType }) => ({
    uri,
    name,
    title,
    description,
    mimeType,
    icons,
  }));
  const made = surface.templates.flatMap((template) =>
    template.values(context).map((value) => ({
      uri: expand(template, value),
      name: value,
      description: template.description,
      mimeType: template.mimeType,
    })),
  );
  return [...fixed, ...made];
}

function expand(template: ResourceTemplateDefinition, value: string): string {
  const [head, tail] = around(template);
  return `${head}${encodeURIComponent(value)}${tail}`;
}

async function find(surface: Surface, context: CallContext, uri: string): Promise<ResourceText | undefined> {
  const fixed = surface.resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) return fixed.read(context);
  for (const template of surface.templates) {
    const value = valueIn(template, uri);
    const text = value === undefined ? undefined : await template.read(context, value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The variable's value, decoded once. A raw slash never stands in it, so one template cannot answer for another. */
export function valueIn(template: ResourceTemplateDefinition, uri: string): string | undefined {
  const [head, tail] = around(template);
  if (!uri.startsWith(head) || !uri.endsWith(tail) || uri.length <= head.length + tail.length) return undefined;
  const raw = uri.slice(head.length, uri.length - tail.length);
  if (/[/?#]/.test(raw)) return undefined;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

function around({ uriTemplate, variable }: ResourceTemplateDefinition): readonly [string, string] {
  const [head = "", tail = ""] = uriTemplate.split(`{${variable}}`);
  return [head, tail];
}

function uriOf(params: Readonly<Record<string, unknown>>, method: string): string {
  const { uri } = params;
  if (typeof uri !== "string") throw new Fault(faultCodes.invalidParams, `${method} needs a uri, as a string.`);
  if (uri.length > uriLimit)
    throw new Fault(faultCodes.invalidParams, `A uri has at most ${uriLimit} characters here.`);
  return uri;
}

function unknownResource(uri: string): Fault {
  return new Fault(faultCodes.resourceNotFound, `There is no resource ${uri}. resources/list names those that exist.`, {
    uri,
  });
}

function requireRead(asked: ProtocolRequest): void {
  if (asked.caller.scopes.has("read")) return;
  throw new Fault(faultCodes.invalidParams, 'Resources need the scope "read", which this caller was not given.');
}

function cached(asked: ProtocolRequest, cacheScope: "public" | "private"): Result {
  return asked.era === "modern" ? { ttlMs: cacheScope === "public" ? 60_000 : 0, cacheScope } : {};
}
