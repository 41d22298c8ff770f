import type { ResourceTemplateDefinition, ResourceText } from "../surface.ts";
import { Connection } from "./connection.ts";
import { page, refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { iconsFor } from "./icon.ts";
import type { Handler, ProtocolContext, Result } from "./request.ts";
import { firstRevision, since } from "./revision.ts";

/** Longer addresses are refused before anything looks at them. */
const maxUri = 2048;

export const listResources: Handler = ({ cursor }, context) => {
  requireRead(context);
  const { items, ...next } = page(allResources(context), ({ uri }) => uri, cursor);
  return { resources: items, ...next, ...cached(context, "private") };
};

export const listTemplates: Handler = ({ cursor }, context) => {
  refuseCursor(cursor);
  const { surface, revision } = context;
  const resourceTemplates = surface.templates.map(({ uriTemplate, name, title, description, mimeType }) => ({
    uriTemplate,
    name,
    ...since(revision, firstRevision.titles, { title }),
    description,
    mimeType,
    ...iconsFor(revision),
  }));
  return { resourceTemplates, ...cached(context, "public") };
};

export const readResource: Handler = async (params, context) => {
  requireRead(context);
  const uri = uriOf(params, "resources/read");
  const text = await find(context, uri);
  if (text === undefined) throw unknownResource(uri);
  return { contents: [text], ...cached(context, "private") };
};

export const subscribe: Handler = async (params, context) => {
  requireRead(context);
  const uri = uriOf(params, "resources/subscribe");
  if ((await find(context, uri)) === undefined) throw unknownResource(uri);
  const { subscriptions } = context.connection;
  if (!subscriptions.has(uri) && subscriptions.size >= Connection.subscriptionLimit) {
    throw new Fault(
      faultCodes.invalidParams,
      `This connection already follows ${Connection.subscriptionLimit} resources. Unsubscribe from one first.`,
    );
  }
  subscriptions.add(uri);
  return {};
};

export const unsubscribe: Handler = (params, { connection }) => {
  connection.subscriptions.delete(uriOf(params, "resources/unsubscribe"));
  return {};
};

/** Everything that can be read, one entry a resource, in stable order: the fixed ones, then each template's values. */
export function allResources(
  context: Pick<ProtocolContext, "surface" | "view" | "revision">,
): readonly (Result & { readonly uri: string })[] {
  const { surface, view, revision } = context;
  const fixed = surface.resources.map(({ uri, name, title, description, mimeType }) => ({
    uri,
    name,
    ...since(revision, firstRevision.titles, { title }),
    description,
    mimeType,
    ...iconsFor(revision),
  }));
  const made = surface.templates.flatMap((template) =>
    template.list(view).map(({ value, name, description }) => ({
      uri: uriIn(template, value),
      name,
      ...since(revision, firstRevision.titles, { title: name }),
      description,
      mimeType: template.mimeType,
    })),
  );
  return [...fixed, ...made];
}

/** The address of one of a template's resources. */
export function uriIn(template: ResourceTemplateDefinition, value: string): string {
  const [head, tail] = around(template);
  return `${head}${encodeURIComponent(value)}${tail}`;
}

async function find(context: ProtocolContext, uri: string): Promise<ResourceText | undefined> {
  const { surface } = context;
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
function valueIn(template: ResourceTemplateDefinition, uri: string): string | undefined {
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
  if (uri.length > maxUri) throw new Fault(faultCodes.invalidParams, `A uri has at most ${maxUri} characters here.`);
  return uri;
}

function unknownResource(uri: string): Fault {
  return new Fault(faultCodes.resourceNotFound, `There is no resource ${uri}. resources/list names those that exist.`, {
    uri,
  });
}

function requireRead({ caller }: ProtocolContext): void {
  if (caller.scopes.has("read")) return;
  throw new Fault(faultCodes.invalidParams, 'Resources need the scope "read", which this caller was not given.');
}

function cached({ era }: ProtocolContext, cacheScope: "public" | "private"): Result {
  return era === "modern" ? { ttlMs: cacheScope === "public" ? 60_000 : 0, cacheScope } : {};
}
