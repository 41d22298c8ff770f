import type { CallerView } from "../core/snapshot/view.ts";
import type { DisclosureResult, EventType } from "../ledger/events/event.ts";
import type { RequestContext } from "./request-context.ts";

/** A JSON Schema object, 2020-12, as it goes to the client. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ConceptRef {
  readonly id: string;
  readonly name: string;
}

/** A refusal is an answer (`isError: true`, text only), never a JSON-RPC error. */
export type ToolAnswer =
  | {
      readonly kind: "ok";
      readonly text: string;
      readonly structured: Readonly<Record<string, unknown>>;
      readonly use?: ToolUse;
    }
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

/** What of the vocabulary one answer used, where queries are logged. */
export interface ToolUse {
  readonly type: EventType;
  readonly concepts: readonly {
    readonly id: string;
    readonly other?: string;
    readonly disclosure?: DisclosureResult;
  }[];
  readonly direction?: string;
  readonly depth?: "brief" | "full" | "relational";
}

export interface ToolDefinition {
  readonly name: string;
  /** The group it is offered with. */
  readonly toolset: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Absent where the answer is `verbatim`. */
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Scope the caller needs. */
  readonly scope: "read" | "log";
  /** Takes the arguments as they came; checks them itself and refuses in words. Throws only on a bug. */
  call(context: RequestContext, args: unknown): ToolAnswer | Promise<ToolAnswer>;
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
  read(context: RequestContext): ResourceText | Promise<ResourceText>;
}

/** One of a template's resources, as people choose from a list. */
export interface ListedResource {
  /** The variable's value. */
  readonly value: string;
  readonly name: string;
  readonly description: string;
}

export interface ResourceTemplateDefinition {
  /** RFC 6570 level 1, one variable: `iaip://concepts/{id}`. */
  readonly uriTemplate: string;
  readonly variable: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** What exists for this view, in stable order, for `resources/list` and completion. */
  list(view: CallerView): readonly ListedResource[];
  /** Values whose text differs between two views of one caller, those that came or went included. */
  changed(previous: CallerView, next: CallerView): readonly string[];
  /** `undefined` when there is no such resource. `value` is decoded once. */
  read(context: RequestContext, value: string): ResourceText | undefined | Promise<ResourceText | undefined>;
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
    context: RequestContext,
    args: Readonly<Record<string, string>>,
  ): readonly { readonly role: "user"; readonly content: PromptContent }[];
  /** Completions for an argument's text so far. */
  complete(context: RequestContext, argument: string, value: string): readonly string[];
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
