import type { Surface, ToolAnswer, ToolDefinition } from "../surface.ts";
import { isLoud } from "./connection.ts";
import { refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { iconsFor } from "./icon.ts";
import { InputNeeded } from "./input-needed.ts";
import type { Handler, Outcome, ProtocolContext, Result } from "./request.ts";
import { firstRevision, since } from "./revision.ts";

/** One page, in the surface's order, the same for every caller. */
export const listTools: Handler = ({ cursor }, { surface, era, revision }) => {
  refuseCursor(cursor);
  const tools = listed(surface.tools, revision);
  return { tools, ...(era === "modern" ? { ttlMs: 60_000, cacheScope: "public" } : {}) };
};

export const callTool: Handler = async (params, context) => {
  const started = performance.now();
  const name = toolName(params);
  const args = toolArguments(params.arguments);
  const tool = toolsOf(context.surface).get(name);
  if (tool === undefined) {
    context.observe?.({ tool: "unknown", outcome: "unknown", ms: performance.now() - started });
    throw new Fault(faultCodes.invalidParams, `Unknown tool: ${name}. tools/list names the tools of this server.`);
  }
  const [result, outcome] = await answer(context, tool, args);
  const ms = performance.now() - started;
  context.observe?.({ tool: name, outcome, ms });
  if (isLoud("debug", context.level ?? context.connection.level)) {
    await context.notify("notifications/message", {
      level: "debug",
      logger: "tools",
      data: `${name}: ${outcome} in ${ms.toFixed(1)} ms`,
    });
  }
  return result;
};

async function answer(
  context: ProtocolContext,
  tool: ToolDefinition,
  args: unknown,
): Promise<readonly [Result, Outcome]> {
  if (!context.caller.scopes.has(tool.scope)) {
    const needed = `${tool.name} needs the scope "${tool.scope}", which this caller was not given.`;
    return [refused(`${needed} Whoever runs this server can grant it.`), "refused"];
  }
  try {
    const answered = await tool.call(context, args);
    return [toResult(answered, context.revision), answered.kind];
  } catch (error) {
    if (error instanceof InputNeeded || context.signal.aborted) throw error;
    context.log("error", `${tool.name} failed`, { stack: error instanceof Error ? error.stack : String(error) });
    return [
      refused("Something went wrong inside this server. It is in the server's log; the question itself may be fine."),
      "failed",
    ];
  }
}

function toResult(answer: ToolAnswer, revision: string): Result {
  if (answer.kind === "refused") return refused(answer.text);
  const content = [{ type: "text", text: answer.text }];
  if (answer.kind === "verbatim") return { content, isError: false };
  return { content, ...since(revision, firstRevision.output, { structuredContent: answer.structured }) };
}

function refused(text: string): Result {
  return { content: [{ type: "text", text }], isError: true };
}

function toolName(params: Readonly<Record<string, unknown>>): string {
  if (typeof params.name === "string") return params.name;
  throw new Fault(faultCodes.invalidParams, "tools/call needs the name of a tool, as a string.");
}

/** Absent and null count as none; an object that a model wrote as a string counts as that object. */
function toolArguments(given: unknown): unknown {
  const args = typeof given === "string" ? parsed(given) : (given ?? {});
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return args;
  throw new Fault(faultCodes.invalidParams, "The arguments of tools/call are an object with the tool's fields.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const byName = new WeakMap<readonly ToolDefinition[], ReadonlyMap<string, ToolDefinition>>();

/** The surface stays while the revision does, and a WeakMap forgets it after. */
function toolsOf(surface: Surface): ReadonlyMap<string, ToolDefinition> {
  let tools = byName.get(surface.tools);
  if (tools === undefined) {
    tools = new Map(surface.tools.map((tool) => [tool.name, tool]));
    byName.set(surface.tools, tools);
  }
  return tools;
}

const listings = new WeakMap<readonly ToolDefinition[], Map<string, readonly Result[]>>();

function listed(tools: readonly ToolDefinition[], revision: string): readonly Result[] {
  const byRevision = listings.get(tools) ?? new Map<string, readonly Result[]>();
  listings.set(tools, byRevision);
  const known = byRevision.get(revision);
  if (known !== undefined) return known;
  const listing = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    ...since(revision, firstRevision.titles, { title }),
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : since(revision, firstRevision.output, { outputSchema })),
    ...since(revision, firstRevision.annotations, { annotations: { title, ...annotations } }),
    ...iconsFor(revision),
  }));
  byRevision.set(revision, listing);
  return listing;
}
