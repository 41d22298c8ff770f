import type { Vocabulary } from "../../core/concept/vocabulary.ts";
import type { Resolved } from "../../core/queries/resolve.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { RequestContext } from "../request-context.ts";
import type { ConceptRef, JsonSchema, ToolAnnotations, ToolAnswer, ToolDefinition, ToolUse } from "../surface.ts";
import { remembered } from "./answer-cache.ts";
import { type ArgumentsOf, type Property, readArguments } from "./arguments.ts";

const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** What tools are made from, once for each revision. */
export interface ToolParts {
  readonly vocabulary: Vocabulary;
  /** The address of a rule's page, where pages are served. */
  readonly docs?: ((rule: string) => string) | undefined;
}

/** One tool, wholly described in its own file. `all-tools.ts` lists them. */
export interface Tool {
  readonly name: string;
  /** The group it is offered with. */
  readonly toolset: string;
  /** The scope its caller needs; what needs `log` writes. */
  readonly scope: "read" | "log";
  make(parts: ToolParts): ToolDefinition;
}

interface Input<P extends Readonly<Record<string, Property>>, R extends keyof P & string> {
  readonly properties: P;
  readonly required?: readonly R[];
}

interface Question<A> {
  readonly context: RequestContext;
  readonly view: CallerView;
  readonly args: A;
  readonly parts: ToolParts;
}

/** What a tool answers beside its text: every key of its output that is not optional, and no other. */
type Structured<O extends string, N extends O> = Readonly<Record<Exclude<O, N>, unknown> & Partial<Record<N, unknown>>>;

type Answer<S> =
  | { readonly kind: "ok"; readonly text: string; readonly structured: S; readonly use?: ToolUse }
  | Refusal;
type Refusal = Extract<ToolAnswer, { readonly kind: "refused" }>;

interface Draft<
  P extends Readonly<Record<string, Property>>,
  R extends keyof P & string,
  O extends string,
  N extends O,
  S extends Structured<O, N>,
> {
  readonly name: string;
  readonly toolset: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input<P, R> | ((parts: ToolParts) => Input<P, R>);
  /** Each key is always there, unless `optional` names it. */
  readonly output: Readonly<Record<O, JsonSchema>>;
  readonly optional?: readonly N[];
  readonly annotations?: ToolAnnotations;
  readonly scope?: "read" | "log";
  /** What every refusal of wrong arguments says first. */
  readonly refusal?: string;
  answer(question: Question<ArgumentsOf<P, R>>): Answer<S> | Promise<Answer<S>>;
}

/** A tool from its draft: checks arguments, names what it ignored, adds the vocabulary's name and revision. */
export function defineTool<
  const P extends Readonly<Record<string, Property>>,
  const O extends string,
  S extends Structured<O, N>,
  const R extends keyof P & string = never,
  const N extends O = never,
>(draft: Draft<P, R, O, N, S>): Tool {
  const { name, toolset, title, description, scope = "read", annotations = readOnly, refusal = "" } = draft;
  const outputSchema = outputOf(draft.output, draft.optional ?? []);
  return {
    name,
    toolset,
    scope,
    make(parts) {
      const input = typeof draft.input === "function" ? draft.input(parts) : draft.input;
      const inputSchema = { type: "object" as const, ...input };
      return {
        name,
        toolset,
        title,
        description,
        inputSchema,
        outputSchema,
        annotations,
        scope,
        async call(context, given) {
          const read = readArguments<P, R>(inputSchema, given);
          if (read.kind === "wrong") return named(refused(`${refusal}${name}: ${read.fault}`), read.ignored);
          const { view } = context;
          const make = async (): Promise<ToolAnswer> => await draft.answer({ context, view, args: read.args, parts });
          const answer = scope === "log" ? await make() : await remembered(view, name, read.args, make);
          return finished(answer, view, read.ignored);
        },
      };
    },
  };
}

function outputOf(output: Readonly<Record<string, JsonSchema>>, optional: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: {
      ...output,
      vocabulary: {
        type: "object",
        properties: { name: { type: "string" }, revision: { type: "string" } },
        required: ["name", "revision"],
      },
    },
    required: [...Object.keys(output).filter((it) => !optional.includes(it)), "vocabulary"],
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

/** `use` is what of the vocabulary the answer used; absent for what is no query. */
export function ok<S>(text: string, structured: S, use?: ToolUse): Answer<S> {
  return { kind: "ok", text, structured, ...(use === undefined ? {} : { use }) };
}

export function refused(
  text: string,
  ways: { readonly didYouMean?: readonly ConceptRef[]; readonly candidates?: readonly ConceptRef[] } = {},
): Refusal {
  return { kind: "refused", text, didYouMean: ways.didYouMean ?? [], candidates: ways.candidates ?? [] };
}

/** Candidates of an ambiguous name that are named. */
const maxCandidates = 20;

/** The refusal for a name that means no concept, or several. */
export function unresolved(field: string, resolved: Exclude<Resolved, { kind: "found" }>): Refusal {
  const given = JSON.stringify(resolved.query.slice(0, 100));
  if (resolved.kind === "ambiguous") {
    const { length } = resolved.candidates;
    const candidates = resolved.candidates.slice(0, maxCandidates);
    const lines = candidates.map((it) => `- ${it.name} (\`${it.id}\`): ${it.why}`);
    const rest = length > candidates.length ? `\n- and ${length - candidates.length} more` : "";
    const text = `\`${field}\`: ${given} names ${length} concepts. Ask again with one of their ids:\n${lines.join("\n")}${rest}`;
    return refused(text, { candidates });
  }
  const near = resolved.didYouMean.map((it) => `${it.name} (\`${it.id}\`)`).join(", ");
  const help = near
    ? `Did you mean ${near}?`
    : "Search with iaip_concept_search, or search with no arguments for all concepts.";
  return refused(`\`${field}\`: no concept goes by ${given}. It takes an id or a name. ${help}`, {
    didYouMean: resolved.didYouMean,
  });
}
