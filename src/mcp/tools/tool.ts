import type { Resolved } from "../../core/queries/resolve.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { CallContext, ConceptRef, ToolAnnotations, ToolAnswer, ToolDefinition } from "../surface.ts";
import { remembered } from "./answer-cache.ts";
import { type Arguments, type InputSchema, readArguments } from "./arguments.ts";

export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export interface ToolRequest {
  readonly context: CallContext;
  readonly view: CallerView;
  readonly values: Arguments;
}

interface Draft extends Omit<ToolDefinition, "call" | "inputSchema" | "outputSchema" | "annotations" | "scope"> {
  readonly input: { readonly properties: InputSchema["properties"]; readonly required?: readonly string[] };
  readonly output: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly annotations?: ToolAnnotations;
  readonly scope?: "read" | "log";
  /** What every refusal of wrong arguments says first. */
  readonly refusal?: string;
  answer(asked: ToolRequest): ToolAnswer | Promise<ToolAnswer>;
}

/** A tool from its draft: checks arguments, takes the snapshot once, names what it ignored, adds the vocabulary. */
export function defineTool(draft: Draft): ToolDefinition {
  const inputSchema: InputSchema = { type: "object", ...draft.input };
  return {
    name: draft.name,
    title: draft.title,
    description: draft.description,
    inputSchema,
    outputSchema: {
      type: "object",
      properties: {
        ...draft.output,
        vocabulary: {
          type: "object",
          properties: { name: { type: "string" }, revision: { type: "string" } },
          required: ["name", "revision"],
        },
      },
      required: [...draft.required, "vocabulary"],
    },
    annotations: draft.annotations ?? readOnly,
    scope: draft.scope ?? "read",
    async call(context, args) {
      const read = readArguments(inputSchema, args);
      if (read.kind === "wrong")
        return named(refused(`${draft.refusal ?? ""}${draft.name}: ${read.fault}`), read.ignored);
      const view = context.source.snapshot.viewFor(context.caller);
      const make = () => draft.answer({ context, view, values: read.values });
      const answer = draft.scope === "log" ? await make() : await remembered(view, draft.name, read.values, make);
      return finished(answer, view, read.ignored);
    },
  };
}

function finished(answer: ToolAnswer, view: CallerView, ignored: readonly string[]): ToolAnswer {
  const whole = named(answer, ignored);
  if (whole.kind !== "ok") return whole;
  return {
    ...whole,
    structured: { ...whole.structured, vocabulary: { name: view.vocabulary.name, revision: view.revision } },
  };
}

/** The answer with the keys that were ignored as its last line. */
function named(answer: ToolAnswer, ignored: readonly string[]): ToolAnswer {
  return ignored.length === 0 ? answer : { ...answer, text: `${answer.text}\n\nignored: ${ignored.join(", ")}` };
}

export function ok(text: string, structured: Readonly<Record<string, unknown>>): ToolAnswer {
  return { kind: "ok", text, structured };
}

export function refused(
  text: string,
  ways: { readonly didYouMean?: readonly ConceptRef[]; readonly candidates?: readonly ConceptRef[] } = {},
): ToolAnswer {
  return { kind: "refused", text, didYouMean: ways.didYouMean ?? [], candidates: ways.candidates ?? [] };
}

/** Candidates of an ambiguous name that are told. */
const mostCandidates = 20;

/** The refusal for a name that means no concept, or several. */
export function unresolved(field: string, resolved: Exclude<Resolved, { kind: "found" }>): ToolAnswer {
  const asked = JSON.stringify(resolved.asked.slice(0, 100));
  if (resolved.kind === "ambiguous") {
    const { length } = resolved.candidates;
    const candidates = resolved.candidates.slice(0, mostCandidates);
    const lines = candidates.map((it) => `- ${it.name} (\`${it.id}\`): ${it.why}`);
    const rest = length > candidates.length ? `\n- and ${length - candidates.length} more` : "";
    const text = `\`${field}\`: ${asked} names ${length} concepts. Ask again with one of their ids:\n${lines.join("\n")}${rest}`;
    return refused(text, { candidates });
  }
  const near = resolved.didYouMean.map((it) => `${it.name} (\`${it.id}\`)`).join(", ");
  const help = near
    ? `Did you mean ${near}?`
    : "Search with iaip_concept_search, or search with no arguments for all concepts.";
  return refused(`\`${field}\`: no concept goes by ${asked}. It takes an id or a name. ${help}`, {
    didYouMean: resolved.didYouMean,
  });
}
