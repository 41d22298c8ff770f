import { withoutAddedNulls } from "./added-nulls.ts";
import { readConfirmation } from "./confirmation.ts";
import {
  type FunctionDefinition,
  type JsonSchema,
  refusal,
  type ToolPolicyDispatcher,
  type ToolResult,
} from "./dispatcher.ts";
import { McpDispatchError, messageOf } from "./errors.ts";
import { listAllTools } from "./list-tools.ts";
import { isRecord, outputText, readCallResult, type StructuredUse } from "./result-content.ts";
import type { McpSession, McpTool } from "./session.ts";
import { type StrictNote, strictSchema } from "./strict-schema.ts";
import { timeLimited } from "./time-limit.ts";
import { type ToolNames, toolNames } from "./tool-names.ts";

export interface McpDispatcherOptions {
  /** Raw tool names to show, in this order; the others are hidden and cannot be called. */
  readonly names?: readonly string[];
  /** Milliseconds for a call and for listing; 30,000 by default. */
  readonly callTimeout?: number;
  /** When false, every tool counts as mutating and wants confirmation, whatever the server says. */
  readonly trustAnnotations?: boolean;
  /** 2,048 by default. */
  readonly maxDescriptionChars?: number;
  /** Cap on `output`; 200,000 by default. `content` is never cut. */
  readonly maxOutputChars?: number;
  /** Where structured content goes in `output`; `when-empty` by default. It is always in `structured`. */
  readonly structured?: StructuredUse;
  /** Converts schemas for strict function calling where that is possible; see `strictReport`. */
  readonly strict?: boolean;
  /** A refresh after `tools/list_changed` that failed; the last list stays. */
  readonly onRefreshError?: (error: McpDispatchError) => void;
}

export interface StrictReport {
  readonly tool: string;
  readonly kind: "converted" | "kept";
  readonly notes: readonly StrictNote[];
}

interface ListedTool {
  readonly tool: McpTool;
  readonly definition: FunctionDefinition;
  readonly report: StrictReport | undefined;
}

/** An MCP server's tools as a dispatcher: definitions, calls and policy, with no SDK in it. */
export class McpDispatcher implements ToolPolicyDispatcher, Disposable {
  readonly #session: McpSession;
  readonly #options: McpDispatcherOptions;
  readonly #stopListening: (() => void) | undefined;
  #names: ToolNames = toolNames([]);
  #listed: ReadonlyMap<string, ListedTool> = new Map();
  #schema: readonly FunctionDefinition[] = [];
  #refreshing: Promise<void> | undefined;

  constructor(session: McpSession, tools: readonly McpTool[], options: McpDispatcherOptions = {}) {
    this.#session = session;
    this.#options = options;
    this.#take(tools);
    this.#stopListening = session.onToolsChanged?.(() => void this.#refreshQuietly());
  }

  /** Lists every page of tools once. Throws `McpDispatchError` (tool `list_tools`) when that fails or hangs. */
  static async create(session: McpSession, options: McpDispatcherOptions = {}): Promise<McpDispatcher> {
    return new McpDispatcher(session, await listAllTools(session, options.callTimeout ?? 30_000), options);
  }

  toolsSchema(): readonly FunctionDefinition[] {
    return this.#schema;
  }

  /** What strict conversion did, tool by tool; empty without `strict`. */
  get strictReport(): readonly StrictReport[] {
    return [...this.#listed.values()].flatMap((one) => (one.report === undefined ? [] : [one.report]));
  }

  /** Lists again. Calls at the same time share one listing. Throws `McpDispatchError`; the last list stays. */
  refresh(): Promise<void> {
    this.#refreshing ??= listAllTools(this.#session, this.#callTimeout)
      .then((tools) => this.#take(tools))
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  isMutating(name: string): boolean {
    if (this.#options.trustAnnotations === false) return true;
    return this.#listed.get(name)?.tool.annotations?.readOnlyHint !== true;
  }

  requiresConfirmation(name: string): boolean {
    if (this.#options.trustAnnotations === false) return true;
    return this.isMutating(name) && this.#listed.get(name)?.tool.annotations?.destructiveHint === true;
  }

  /** Throws `McpDispatchError` for what no model can mend; every other fault is a result with `ok: false`. */
  async execute(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const listed = this.#listed.get(name);
    if (listed === undefined) return refusal(`unknown tool: ${name}`);
    const raw = listed.tool.name;
    const sent =
      listed.report?.kind === "converted"
        ? withoutAddedNulls(args, inputSchema(listed.tool), inputSchema(listed.tool))
        : args;
    let result: unknown;
    try {
      result = await timeLimited(this.#session, this.#callTimeout, (options) =>
        this.#session.callTool({ name: raw, arguments: isRecord(sent) ? { ...sent } : {} }, options),
      );
    } catch (error) {
      // -32602: the server says that the arguments are wrong, which a model can mend.
      if (isRecord(error) && error.code === -32602) return refusal(messageOf(error));
      throw new McpDispatchError(name, args, error);
    }
    return this.#resultOf(name, result);
  }

  [Symbol.dispose](): void {
    this.#stopListening?.();
  }

  get #callTimeout(): number {
    return this.#options.callTimeout ?? 30_000;
  }

  #resultOf(name: string, result: unknown): ToolResult {
    const call = readCallResult(result);
    const structured = call.structured === undefined ? {} : { structured: call.structured };
    const whole = outputText(call, this.#options.structured ?? "when-empty");
    const cap = this.#options.maxOutputChars ?? 200_000;
    const cut = whole.length > cap;
    const text = cut ? `${whole.slice(0, cap)}\n[cut: ${whole.length - cap} more characters]` : whole;
    const kept = { content: call.content, ...structured, ...(cut ? { truncated: true as const } : {}) };
    if (call.isError) return { ...refusal(text === "" ? "tool error" : text), ...kept };
    const confirmation = readConfirmation(call);
    return {
      output: text,
      ok: true,
      error: null,
      sideEffect: this.isMutating(name) && !confirmation.needed,
      needsConfirmation: confirmation.needed,
      confirmArguments: confirmation.arguments,
      ...kept,
    };
  }

  #take(tools: readonly McpTool[]): void {
    const byName = new Map(tools.map((tool) => [tool.name, tool] as const));
    const shown = (this.#options.names ?? [...byName.keys()]).flatMap((name) => byName.get(name) ?? []);
    this.#names = toolNames(byName.keys());
    this.#listed = new Map([...new Set(shown)].map((tool) => [this.#names.toLegal(tool.name)!, this.#describe(tool)]));
    this.#schema = [...this.#listed.values()].map((one) => one.definition);
  }

  #describe(tool: McpTool): ListedTool {
    const strict = this.#options.strict === true ? strictSchema(inputSchema(tool)) : undefined;
    const converted = strict?.kind === "converted" ? strict : undefined;
    const definition: FunctionDefinition = {
      type: "function",
      function: {
        name: this.#names.toLegal(tool.name)!,
        description: (tool.description ?? "").slice(0, this.#options.maxDescriptionChars ?? 2_048),
        parameters: converted?.schema ?? inputSchema(tool),
        ...(converted === undefined ? {} : { strict: true as const }),
      },
    };
    const report = strict === undefined ? undefined : { tool: tool.name, kind: strict.kind, notes: strict.notes };
    return { tool, definition, report };
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if (error instanceof McpDispatchError) this.#options.onRefreshError?.(error);
      else throw error;
    }
  }
}

function inputSchema(tool: McpTool): JsonSchema {
  const schema = tool.inputSchema;
  return isRecord(schema) && Object.keys(schema).length > 0 ? schema : { type: "object", properties: {} };
}
