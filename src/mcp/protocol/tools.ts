import type { Surface, ToolAnswer, ToolDefinition } from "../surface.ts";
import { callContext } from "./call-context.ts";
import { isLoud } from "./connection.ts";
import { refuseCursor } from "./cursor.ts";
import { Fault, faultCodes } from "./fault.ts";
import { icons } from "./icon.ts";
import { InputNeeded } from "./input-needed.ts";
import type { Handler, Outcome, ProtocolRequest, Result, Serving } from "./request.ts";

/** One page, in the surface's order, the same for every caller. */
export function listTools(serving: Serving): Handler {
  return async (params, asked) => {
    refuseCursor(params.cursor);
    await serving.source.ready;
    const { tools } = serving.surface();
    return { tools: listed(tools), ...(asked.era === "modern" ? { ttlMs: 60_000, cacheScope: "public" } : {}) };
  };
}

export function callTool(serving: Serving): Handler {
  return async (params, asked) => {
    const started = performance.now();
    const name = toolName(params);
    const args = toolArguments(params.arguments);
    await serving.source.ready;
    const tool = toolsOf(serving.surface()).get(name);
    if (tool === undefined) {
      serving.observe?.({ tool: "unknown", outcome: "unknown", ms: performance.now() - started });
      throw new Fault(faultCodes.invalidParams, `Unknown tool: ${name}. tools/list names the tools of this server.`);
    }
    const [result, outcome] = await answer(serving, asked, tool, args);
    const ms = performance.now() - started;
    serving.observe?.({ tool: name, outcome, ms });
    if (isLoud("debug", asked.level ?? asked.connection.level)) {
      await asked.notify("notifications/message", {
        level: "debug",
        logger: "tools",
        data: `${name}: ${outcome} in ${ms.toFixed(1)} ms`,
      });
    }
    return result;
  };
}

async function answer(
  serving: Serving,
  asked: ProtocolRequest,
  tool: ToolDefinition,
  args: unknown,
): Promise<readonly [Result, Outcome]> {
  if (!asked.caller.scopes.has(tool.scope)) {
    return [
      refused(
        `${tool.name} needs the scope "${tool.scope}", which this caller was not given. Whoever runs this server can grant it.`,
      ),
      "refused",
    ];
  }
  try {
    const told = await tool.call(callContext(serving, asked), args);
    return [toResult(told), told.kind];
  } catch (error) {
    if (error instanceof InputNeeded || asked.signal.aborted) throw error;
    serving.log("error", `${tool.name} failed`, { stack: error instanceof Error ? error.stack : String(error) });
    return [
      refused("Something went wrong inside this server. It is in the server's log; the question itself may be fine."),
      "failed",
    ];
  }
}

function toResult(told: ToolAnswer): Result {
  if (told.kind === "refused") return refused(told.text);
  const content = [{ type: "text", text: told.text }];
  return told.kind === "verbatim" ? { content, isError: false } : { content, structuredContent: told.structured };
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

function toolsOf(surface: Surface): ReadonlyMap<string, ToolDefinition> {
  let tools = byName.get(surface.tools);
  if (tools === undefined) {
    tools = new Map(surface.tools.map((tool) => [tool.name, tool]));
    byName.set(surface.tools, tools);
  }
  return tools;
}

const listings = new WeakMap<readonly ToolDefinition[], readonly Result[]>();

function listed(tools: readonly ToolDefinition[]): readonly Result[] {
  let listing = listings.get(tools);
  if (listing === undefined) {
    listing = tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      description,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      annotations: { title, ...annotations },
      icons,
    }));
    listings.set(tools, listing);
  }
  return listing;
}
