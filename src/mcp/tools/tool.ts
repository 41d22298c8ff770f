import type { Resolved } from "../../core/queries/resolve.ts";
import type { View } from "../../core/snapshot/view.ts";
import type { CallContext, ConceptRef, ToolAnnotations, ToolAnswer, ToolDefinition } from "../surface.ts";
import { remembered } from "./answer-cache.ts";
import { type Arguments, type InputSchema, readArguments } from "./arguments.ts";

export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export interface Asked {
  readonly context: CallContext;
  readonly view: View;
  readonly values: Arguments;
}

interface Draft extends Omit<ToolDefinition, "call" | "inputSchema" | "outputSchema" | "annotations" | "scope"> {
  readonly input: { readonly properties: InputSchema["properties"]; readonly required?: readonly string[] };
  readonly output: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly annotations?: ToolAnnotations;
  readonly scope?: "read" | "log";
  answer(asked: Asked): ToolAnswer | Promise<ToolAnswer>;
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
      if (read.kind === "wrong") return refused(`${draft.name}: ${read.fault}`);
      const view = context.source.snapshot.viewFor(context.caller);
      const make = () => draft.answer({ context, view, values: read.values });
      const answer = draft.scope === "log" ? await make() : await remembered(view, draft.name, read.values, make);
      return finished(answer, view, read.ignored);
    },
  };
}

function finished(answer: ToolAnswer, view: View, ignored: readonly string[]): ToolAnswer {
  const text = ignored.length === 0 ? answer.text : `${answer.text}\n\nignored: ${ignored.join(", ")}`;
  if (answer.kind !== "told") return { ...answer, text };
  return {
    ...answer,
    text,
    structured: { ...answer.structured, vocabulary: { name: view.vocabulary.name, revision: view.revision } },
  };
}

export function told(text: string, structured: Readonly<Record<string, unknown>>): ToolAnswer {
  return { kind: "told", text, structured };
}

export function refused(
  text: string,
  ways: { readonly didYouMean?: readonly ConceptRef[]; readonly candidates?: readonly ConceptRef[] } = {},
): ToolAnswer {
  return { kind: "refused", text, didYouMean: ways.didYouMean ?? [], candidates: ways.candidates ?? [] };
}

/** The refusal for a name that means no concept, or several. */
export function unresolved(field: string, resolved: Exclude<Resolved, { kind: "found" }>): ToolAnswer {
  const asked = JSON.stringify(resolved.asked.slice(0, 100));
  if (resolved.kind === "ambiguous") {
    const lines = resolved.candidates.map((it) => `- ${it.name} (\`${it.id}\`): ${it.why}`);
    const text = `\`${field}\`: ${asked} names ${resolved.candidates.length} concepts. Ask again with one of their ids:\n${lines.join("\n")}`;
    return refused(text, { candidates: resolved.candidates });
  }
  const near = resolved.didYouMean.map((it) => `${it.name} (\`${it.id}\`)`).join(", ");
  const help = near
    ? `Did you mean ${near}?`
    : "Search with iaip_concept_search, or search with no arguments for all concepts.";
  return refused(`\`${field}\`: no concept goes by ${asked}. It takes an id or a name. ${help}`, {
    didYouMean: resolved.didYouMean,
  });
}
