import type { Disclosed } from "../core/concept/disclosure.ts";
import { checkCeremony } from "../core/queries/check-ceremony.ts";
import { suggest } from "../core/queries/suggest.ts";
import { conceptMarkdown } from "../core/render/concept-markdown.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import type { PromptContent, PromptDefinition } from "./surface.ts";

const embedded = 5;
const maxCompletions = 100;

type Message = { readonly role: "user"; readonly content: PromptContent };

export const prompts: readonly PromptDefinition[] = [
  {
    name: "iaip_framework_grounding",
    title: "Ground a task in the vocabulary",
    description: "Ground an agent's work in the IAIP framework by providing relevant concept context",
    arguments: [{ name: "task_description", description: "What the agent is about to work on", required: true }],
    get(context, args) {
      const { view } = context;
      const task = args.task_description ?? "";
      const concepts = relevant(view, task);
      const found = concepts.length > 0;
      const instructions = found
        ? "The concepts below bear on it. Read each with its attribution and its limits; use their words, cite who holds them, and do not go beyond what they say. Where a concept points to people, name them and stop there. Say which concepts shape your plan and how; leave out those that do not. When the work is written, check it with iaip_validate_terminology and record the concepts you used with iaip_wisdom_ledger_log."
        : "Nothing in this vocabulary fits it. Go on without bringing in a concept, and do not present the work as grounded in this vocabulary.";
      return [
        text(`You are about to work on this:\n\n${quote(task)}\n\n${instructions}`),
        ...concepts.map((it) => resource(view, it)),
      ];
    },
    complete: (context, _argument, value) => completeNames(context.view, value),
  },
  {
    name: "iaip_ceremony_check",
    title: "Check an action for ceremony",
    description: "Check if a proposed action requires ceremonial consideration based on IAIP concepts",
    arguments: [{ name: "proposed_action", description: "What the agent proposes to do", required: true }],
    get(context, args) {
      const { view } = context;
      const action = args.proposed_action ?? "";
      const check = checkCeremony(view, action);
      const concepts = relevant(view, action);
      const extra = check.concepts.filter((it) => !concepts.includes(it));
      return [
        text(`This action is proposed:\n\n${quote(action)}\n\n${check.answer}`),
        ...[...extra, ...concepts].map((it) => resource(view, it)),
      ];
    },
    complete: (context, _argument, value) => completeNames(context.view, value),
  },
];

/** The concepts that suggestion gives for a text. */
function relevant(view: CallerView, task: string): readonly Disclosed[] {
  if (task.trim() === "") return [];
  return suggest(view, task, embedded).map((it) => view.concepts.get(it.id)!);
}

function text(content: string): Message {
  return { role: "user", content: { type: "text", text: content } };
}

function resource(view: CallerView, disclosed: Disclosed): Message {
  const uri = `iaip://concepts/${disclosed.concept.id}`;
  return {
    role: "user",
    content: { type: "resource", resource: { uri, mimeType: "text/markdown", text: conceptMarkdown(view, disclosed) } },
  };
}

function quote(given: string): string {
  return given
    .slice(0, 20_000)
    .split("\n")
    .map((it) => `> ${it}`)
    .join("\n");
}

/** Names that complete the last words typed, the text before them kept; the longest run of words that fits counts. */
function completeNames(view: CallerView, value: string): readonly string[] {
  const words = [...value.matchAll(/\S+/gu)];
  for (let first = Math.max(0, words.length - 5); first < words.length; first++) {
    const start = words[first]!.index;
    const typed = value.slice(start);
    if (new Set(view.names.lookup(typed).map((it) => it.id)).size === 1) continue;
    const names = [...view.listed.values()]
      .flatMap(({ concept }) => [concept.name, ...concept.names.map((it) => it.text), ...concept.aliases])
      .filter((it) => it.toLowerCase().startsWith(typed.toLowerCase()));
    if (names.length > 0) return [...new Set(names)].slice(0, maxCompletions).map((it) => value.slice(0, start) + it);
  }
  return [];
}
