import type { Log } from "../../base/log.ts";
import type { Disclosed } from "../../core/concept/disclosure.ts";
import type { Model } from "../kag-host.ts";
import { type CitedDocument, citedIn, withKnownTags } from "./citations.ts";
import type { Extracted } from "./extract-answer.ts";

/** Longest composed answer that is taken over, in characters. */
const longestAnswer = 4_000;

const system = `You answer from the passages you are given, and from nothing else.
Keep their words for what a concept is. Add no teaching, no meaning and no example that is not there.
Never speak as an Elder, a Knowledge Keeper or a community; never describe ceremony; never call anything compliant.
A relation "by analogy" is told as an analogy and nothing stronger.
After each statement cite the passage it rests on as <reference id="ID"></reference>, with the passage's ID.
If the passages do not answer the question, say so in one sentence, citing the nearest passage. At most 200 words.`;

/**
 * The answer as a model composes it from the extracted passages, or `undefined` to keep the extracted one: when the
 * model fails, cites nothing that it was given, or when people want that their words are not elaborated.
 */
export async function composeAnswer(
  request: { readonly question: string; readonly extracted: Extracted; readonly concepts: readonly Disclosed[] },
  { model, signal, log }: { readonly model: Model; readonly signal: AbortSignal; readonly log: Log },
): Promise<string | undefined> {
  const { question, extracted, concepts } = request;
  if (extracted.documents.length === 0 || concepts.some(isNotToBeElaborated)) return undefined;
  try {
    const written = await model({ system, prompt: promptOf(question, extracted), maxTokens: 700 }, signal);
    return checked(written, extracted.documents);
  } catch (error) {
    // Asking the client may mean ending this call and being called again; that is the binding's to see.
    if (signal.aborted || (error instanceof Error && error.name === "InputNeeded")) throw error;
    log("warn", "the model could not compose an answer; the extracted one is returned", { reason: reasonOf(error) });
    return undefined;
  }
}

/** Pointers, ceremony and what is not open to everyone are given as they stand, or not at all: no model is given them. */
function isNotToBeElaborated({ concept, notice, disclosure }: Disclosed): boolean {
  const { ocap, indigenous_connections } = concept;
  if (notice !== null || disclosure !== "full" || ocap.access !== "open") return true;
  return indigenous_connections.ceremonial.level === "not-for-this-tool";
}

function promptOf(question: string, { answer, documents }: Extracted): string {
  const passages = documents.map((it) => `[${it.id}] ${it.document_name}: ${it.content}`);
  return `Question: ${question.slice(0, 2_000)}\n\nPassages:\n${passages.join("\n\n")}\n\nWhat the vocabulary says of how they relate:\n${answer}`;
}

/** Unknown tags are removed; an answer that then cites nothing is not taken. */
function checked(written: string, documents: readonly CitedDocument[]): string | undefined {
  const answer = withKnownTags(written.trim(), documents);
  if (answer.length > longestAnswer || citedIn(answer).size === 0) return undefined;
  return answer;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : "unknown";
}
