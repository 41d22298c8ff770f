import { isRecord } from "../../base/json-rpc.ts";
import type { Scope } from "../../core/concept/caller.ts";
import { redactJson } from "../config/redact.ts";
import type { Owned } from "../upstream/catalog.ts";
import { UpstreamFault } from "../upstream/fault.ts";
import type { Answer } from "../upstream/link.ts";
import type { ListKind } from "../upstream/lists.ts";
import type { Params } from "../upstream/meta.ts";
import { atMost } from "../upstream/timing.ts";
import { isShown } from "../upstream/tool-filter.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Outcome } from "./audit.ts";
import type { Method, MethodClient, Running } from "./method.ts";

export const statusUri = "iaip-gateway://status";
const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** Every request that the gateway answers. */
export const gatewayMethods: Readonly<Record<string, Method>> = {
  initialize: async (client, params) => ({ result: await introduce(client, params) }),
  ping: () => ({ result: {} }),
  "tools/list": listTools,
  "tools/call": callTool,
  "resources/list": async (client) => {
    const { resources } = await listed(client, "resources", "templates");
    return { result: { resources: [...resources, statusResource] } };
  },
  "resources/templates/list": async (client) => {
    return { result: { resourceTemplates: (await listed(client, "templates")).templates } };
  },
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "prompts/list": async (client) => ({ result: { prompts: (await listed(client, "prompts")).prompts } }),
  "prompts/get": getPrompt,
  "completion/complete": complete,
  "logging/setLevel": (client, params) => {
    if (logLevels.includes(String(params.level))) return client.setLevel(params.level);
    return refused(`level is ${JSON.stringify(params.level)}; it is one of ${logLevels.join(", ")}`);
  },
  "tasks/get": followTask,
  "tasks/result": followTask,
  "tasks/cancel": followTask,
};

const statusResource = {
  uri: statusUri,
  name: "gateway-status",
  title: "Gateway status",
  description: "Which upstream servers are ready, which tools each has, when it last listed them, and what is wrong.",
  mimeType: "application/json",
};

async function introduce(client: MethodClient, params: Params): Promise<Params> {
  const protocolVersion = client.introduced(params);
  await atMost(client.set.settled(), client.home.context.timeouts.instructionsWait);
  const names = client.home.context.prepared.servers.map(({ source }) => {
    return source.prefix === undefined ? `${source.name} (names as they are)` : `${source.name} (${source.prefix}_*)`;
  });
  return {
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    },
    serverInfo: { name: "iaip-dsl-gateway", title: "iaip-dsl gateway", version: client.home.context.version },
    instructions: [
      `The tools of several servers, each under its prefix: ${names.join(", ")}. ${statusUri} says which are ready.`,
      ...upstreamInstructions(client),
    ].join("\n\n"),
  };
}

/** UTF-16 units of one upstream's instructions, and of all. */
const maxInstructions = 2_000;
const maxAllInstructions = 12_000;

/** What upstreams say to a client's model, each named and bounded: they speak for themselves, not for the gateway. */
function upstreamInstructions(client: MethodClient): readonly string[] {
  let left = maxAllInstructions;
  return client.home.context.prepared.servers.flatMap(({ source }) => {
    const said = client.set.get(source.name)?.server?.instructions;
    if (typeof said !== "string" || said.trim() === "" || left <= 0) return [];
    const limit = Math.min(maxInstructions, left);
    const text = said.trim().length > limit ? `${said.trim().slice(0, limit)}…` : said.trim();
    left -= text.length;
    return [`Instructions of the server "${source.name}":\n${text.replaceAll(/^/gm, "> ")}`];
  });
}

/** In `_meta` of a list: the servers whose tools may be missing, and why. An empty list alone explains nothing. */
export const META_NOT_READY = "iaip-dsl/not-ready";

async function listTools(client: MethodClient): Promise<Answer> {
  const { tools: all, toolOwners } = await listed(client, "tools");
  const tools = all.filter(({ name }) => client.lacks(toolOwners.get(String(name))?.needs ?? []) === undefined);
  const missing = client.home.status(client.set).filter((one) => !one.ready);
  if (missing.length === 0) return { result: { tools } };
  const why = missing.map(({ name, error, conditions }) => ({ name, reason: error ?? conditions[0]?.message }));
  return { result: { tools, _meta: { [META_NOT_READY]: why } } };
}

async function listed(client: MethodClient, ...kinds: readonly ListKind[]) {
  const catalog = await client.set.listed(...kinds);
  for (const kind of kinds) client.knows(kind);
  return catalog;
}

async function callTool(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const { now, audit, auditArguments, prepared } = client.home.context;
  const name = String(params.name);
  const began = now();
  const note = (upstream: string, outcome: Outcome) => {
    const args = auditArguments ? { arguments: redactJson(params.arguments, prepared.redactContent) } : {};
    const at = new Date(began).toISOString();
    audit({
      at,
      who: client.who,
      client: client.clientName,
      tool: name,
      upstream,
      ms: now() - began,
      outcome,
      ...args,
    });
  };
  const owner = client.set.catalog.toolOwners.get(name) ?? (await listed(client, "tools")).toolOwners.get(name);
  if (owner === undefined) {
    note("", "refused");
    return missingTool(client, name);
  }
  const lacked = client.lacks(owner.needs);
  if (lacked !== undefined) {
    note(owner.upstream, "refused");
    return refused(lackedScope(name, owner.readOnly, lacked));
  }
  try {
    const upstream = upstreamOf(client, owner);
    const answer = await client.forward(
      running,
      upstream,
      "tools/call",
      { ...params, name: owner.raw },
      owner.readOnly,
    );
    note(owner.upstream, outcomeOf(answer));
    client.set.routes.learn(owner.upstream, answer);
    const task = answer.result?.task;
    if (isRecord(task) && typeof task.taskId === "string") client.taskStarted(task.taskId, owner.upstream);
    return answer;
  } catch (error) {
    note(owner.upstream, error instanceof UpstreamFault ? error.kind : "error");
    throw error;
  }
}

/** Why a caller may not call a tool. */
export function lackedScope(tool: string, readOnly: boolean, lacked: Scope): string {
  const what = readOnly ? "reads" : "may change things";
  return `${tool} ${what}, and this caller was not given the scope "${lacked}". Whoever runs this server can grant it.`;
}

function outcomeOf(answer: Answer): Outcome {
  if (answer.error !== undefined) return "error";
  return answer.result?.isError === true ? "tool-error" : "ok";
}

/** Says why there is no such tool: the reader of "unknown tool" has nothing to go on. */
function missingTool(client: MethodClient, name: string): Answer {
  for (const { source } of client.home.context.prepared.servers) {
    const start = source.prefix === undefined ? "" : `${source.prefix}_`;
    if (!name.startsWith(start)) continue;
    const raw = name.slice(start.length);
    if (!isShown(raw, source)) return refused(`tool ${JSON.stringify(name)} is not available (filtered)`);
    const health = client.set.get(source.name)?.health;
    if (health?.phase === "ready") continue;
    const why = health === undefined ? "it is suspended" : (health.error ?? "it has not answered yet");
    throw new UpstreamFault("unavailable", source.name, `upstream "${source.name}" is not available: ${why}`);
  }
  return refused(`Unknown tool: ${name}`);
}

async function readResource(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const uri = String(params.uri);
  if (uri === statusUri) {
    const servers = client.home.status(client.set);
    const text = JSON.stringify({ servers }, null, 2);
    return { result: { contents: [{ uri, mimeType: statusResource.mimeType, text }] } };
  }
  const owner = await resourceOwner(client, uri);
  if (owner !== undefined) return client.forward(running, owner, "resources/read", params, true);
  return { error: { code: -32002, message: `Resource not found: ${uri}`, data: { uri } } };
}

async function resourceOwner(client: MethodClient, uri: string): Promise<Upstream | undefined> {
  const known = client.set.routes.find(uri, client.set.catalog);
  const owner = known ?? client.set.routes.find(uri, await client.set.listed("resources", "templates"));
  return owner === undefined ? undefined : client.set.get(owner);
}

async function subscribe(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const uri = String(params.uri);
  const owner = await resourceOwner(client, uri);
  if (owner === undefined) return { error: { code: -32002, message: `Resource not found: ${uri}`, data: { uri } } };
  client.subscribed(uri, true);
  if (client.shared?.subscribe(uri, client) === false) return { result: {} };
  return client.forward(running, owner, "resources/subscribe", params, true);
}

async function unsubscribe(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const uri = String(params.uri);
  client.subscribed(uri, false);
  if (client.shared?.unsubscribe(uri, client) === false) return { result: {} };
  const owner = await resourceOwner(client, uri);
  if (owner === undefined) return { result: {} };
  return client.forward(running, owner, "resources/unsubscribe", params, true);
}

async function getPrompt(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const name = String(params.name);
  const owner = client.set.catalog.promptOwners.get(name) ?? (await listed(client, "prompts")).promptOwners.get(name);
  if (owner === undefined) return refused(`Unknown prompt: ${name}`);
  return client.forward(running, upstreamOf(client, owner), "prompts/get", { ...params, name: owner.raw }, true);
}

async function complete(client: MethodClient, params: Params, running: Running): Promise<Answer> {
  const ref = isRecord(params.ref) ? params.ref : {};
  const catalog = await client.set.listed("prompts", "templates");
  if (ref.type === "ref/prompt") {
    const owner = catalog.promptOwners.get(String(ref.name));
    if (owner === undefined) return refused(`Unknown prompt: ${String(ref.name)}`);
    const sent = { ...params, ref: { ...ref, name: owner.raw } };
    return client.forward(running, upstreamOf(client, owner), "completion/complete", sent, true);
  }
  const uri = String(ref.uri);
  const owner = catalog.templateOwners.get(uri) ?? client.set.routes.find(uri, catalog);
  const upstream = owner === undefined ? undefined : client.set.get(owner);
  if (upstream === undefined) return refused(`Unknown resource template: ${uri}`);
  return client.forward(running, upstream, "completion/complete", params, true);
}

/** A task is known to the client that started it, and to no other. */
function followTask(client: MethodClient, params: Params, running: Running): Answer | Promise<Answer> {
  const upstream = client.taskOwner(params.taskId);
  if (upstream === undefined) return refused(`Unknown task: ${String(params.taskId)}`);
  return client.forward(running, upstream, running.method, params, running.method !== "tasks/cancel");
}

function upstreamOf(client: MethodClient, owner: Owned): Upstream {
  const upstream = client.set.get(owner.upstream);
  if (upstream === undefined)
    throw new UpstreamFault("unavailable", owner.upstream, `upstream "${owner.upstream}" is suspended`);
  return upstream;
}

function refused(message: string): Answer {
  return { error: { code: -32602, message } };
}
