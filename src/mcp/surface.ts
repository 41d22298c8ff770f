import type { Caller } from "../core/concept/caller.ts";
import type { SnapshotSource } from "../core/ports.ts";
import type { Ledger } from "../ledger/port.ts";

/** A JSON Schema object, 2020-12, as it goes to the client. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What one request is answered from. Bindings make one per request; a handler takes the snapshot once. */
export interface CallContext {
  readonly source: SnapshotSource;
  readonly ledger: Ledger;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Present only when the client sent a progress token. `done` of `total` steps. */
  readonly progress?: (done: number, total: number, message?: string) => void;
  /** Present only when the client declared `sampling`: the text its model writes. Rejects when the person or client declines. */
  readonly sample?: (request: SampleRequest) => Promise<string>;
}

export interface SampleRequest {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
}

export interface ConceptRef {
  readonly id: string;
  readonly name: string;
}

/** A refusal is an answer (`isError: true`, text only), never a JSON-RPC error. */
export type ToolAnswer =
  | { readonly kind: "ok"; readonly text: string; readonly structured: Readonly<Record<string, unknown>> }
  /** One text block and nothing beside it, `isError: false`: for returns that are frozen as one block of JSON. */
  | { readonly kind: "verbatim"; readonly text: string }
  | {
      readonly kind: "refused";
      readonly text: string;
      readonly didYouMean: readonly ConceptRef[];
      readonly candidates: readonly ConceptRef[];
    };

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Absent where the answer is `verbatim`. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Scope the caller needs. */
  readonly scope: "read" | "log";
  /** Takes the arguments as they came; checks them itself and refuses in words. Throws only on a bug. */
  call(context: CallContext, args: unknown): ToolAnswer | Promise<ToolAnswer>;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(context: CallContext): ResourceText | Promise<ResourceText>;
}

export interface ResourceTemplateDefinition {
  /** RFC 6570 level 1, one variable: `iaip://concepts/{id}`. */
  readonly uriTemplate: string;
  readonly variable: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Values that exist, in stable order, for `resources/list` and completion. */
  values(context: CallContext): readonly string[];
  /** `undefined` when there is no such resource. `value` is decoded once. */
  read(context: CallContext, value: string): ResourceText | undefined | Promise<ResourceText | undefined>;
}

export type PromptContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "resource"; readonly resource: ResourceText };

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  get(
    context: CallContext,
    args: Readonly<Record<string, string>>,
  ): readonly { readonly role: "user"; readonly content: PromptContent }[];
  /** Completions for an argument's text so far. */
  complete(context: CallContext, argument: string, value: string): readonly string[];
}

/** Everything a client can see, as data: no SDK in it. Two bindings carry it. */
export interface Surface {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly templates: readonly ResourceTemplateDefinition[];
  readonly prompts: readonly PromptDefinition[];
}
