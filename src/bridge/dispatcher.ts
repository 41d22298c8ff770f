import type { ContentBlock } from "./session.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** An OpenAI function definition. */
export interface FunctionDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    /** Present only where the parameters were converted for strict mode. */
    readonly strict?: true;
  };
}

/** What became of one call. A fault that a model can mend is `ok: false`; any other is thrown. */
export interface ToolResult {
  /** For the model: text, or JSON where there is only structured content. Empty when `ok` is false. */
  readonly output: string;
  readonly ok: boolean;
  /** The sentence to feed back to the model when `ok` is false. */
  readonly error: string | null;
  /** Whether this very call changed something: never for a failed or a proposed one. */
  readonly sideEffect: boolean;
  /** The tool read, committed nothing, and asks for confirmation first. */
  readonly needsConfirmation: boolean;
  /** Arguments to add when the confirmed call is made again. */
  readonly confirmArguments: Readonly<Record<string, unknown>>;
  /** Everything the server sent, as it came: images, audio, links, embedded resources. */
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
  /** True when `output` was cut at the cap; `content` is whole. */
  readonly truncated?: true;
}

export interface ToolDispatcher {
  /** The final, already filtered definitions. Synchronous. */
  toolsSchema(): readonly FunctionDefinition[];
  execute(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
}

export interface ToolPolicyDispatcher extends ToolDispatcher {
  /** True unless the tool is known to be read-only. */
  isMutating(name: string): boolean;
  requiresConfirmation(name: string): boolean;
}

export function hasPolicy(dispatcher: ToolDispatcher): dispatcher is ToolPolicyDispatcher {
  return "isMutating" in dispatcher && "requiresConfirmation" in dispatcher;
}

/** A fault that the model may mend. */
export function refusal(error: string): ToolResult {
  return {
    output: "",
    ok: false,
    error,
    sideEffect: false,
    needsConfirmation: false,
    confirmArguments: {},
    content: [],
  };
}
