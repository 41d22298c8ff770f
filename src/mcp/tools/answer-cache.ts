import type { CallerView } from "../../core/snapshot/view.ts";
import type { ToolAnswer } from "../surface.ts";
import type { Arguments } from "./arguments.ts";

/** Answers kept for one view, and the longest arguments and answers that are kept, in UTF-16 units. */
const maxKept = 200;
const maxKeyLength = 4_096;
const maxAnswerLength = 100_000;

function keptAnswers(): Map<string, ToolAnswer> {
  return new Map();
}

/**
 * A query tool's answer, made once for the same question: a view never changes, so neither does what it answers. The
 * view is what one set of grants may see, so no caller is given what another may. The least recently used goes first.
 */
export async function remembered(
  view: CallerView,
  tool: string,
  values: Arguments,
  make: () => ToolAnswer | Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const key = `${tool} ${JSON.stringify(values)}`;
  if (maxKeyLength < key.length) return make();
  const answers = view.once(keptAnswers);
  const known = answers.get(key);
  const answer = known ?? (await make());
  answers.delete(key);
  if (known || isShort(answer)) answers.set(key, answer);
  if (maxKept < answers.size) answers.delete(answers.keys().next().value!);
  return answer;
}

function isShort(answer: ToolAnswer): boolean {
  return answer.kind !== "ok" || JSON.stringify(answer.structured).length <= maxAnswerLength;
}
