import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Document } from "yaml";
import { localCaller } from "../../../core/concept/caller.ts";
import { conceptIdSchema } from "../../../core/concept/concept.ts";
import { nearest } from "../../../core/concept/nearest.ts";
import { parseFile } from "../../../core/concept/parse-file.ts";
import type { Snapshot } from "../../../core/snapshot/snapshot.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print, UsageError } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";

export interface NewConcept {
  readonly id?: string;
  readonly name?: string;
  readonly category?: string;
  readonly family?: string;
  readonly holder?: string;
  readonly byLine?: string;
  readonly direction?: string;
  readonly basis?: string;
  readonly definition?: string;
  readonly source?: string;
}

interface Question {
  readonly key: keyof NewConcept;
  readonly flag: string;
  readonly ask: string;
  readonly oneOf?: readonly string[];
  readonly check?: (text: string) => string | undefined;
}

/** Writes a valid concept file: from flags, and by asking for what is missing where a person is there to answer. */
export async function runConceptsNew(given: NewConcept, settings: Settings, io: Io): Promise<number> {
  const { workspace } = await open({ ...settings, ledger: "none" }, { watch: false });
  await workspace.ready;
  const { snapshot, folder } = workspace;
  await workspace.dispose();
  const concept = await answered(questions(snapshot), given, io);
  const category = snapshot.vocabulary.categories.find((it) => it.id === concept.category)!;
  const file = `${category.folder}/${concept.id}.yaml`;
  const path = join(folder, file);
  if (existsSync(path)) throw new UsageError(`${path} is already there; nothing was written. Choose another id.`);
  const text = fileText(concept);
  const { problems } = parseFile(file, text);
  if (problems.length > 0)
    throw new UsageError(`This would not be a valid file: ${problems.map((it) => it.message).join(" ")}`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: "wx" });
  print(io, `Wrote ${path}. Add names, context, relations and governance, then run iaip-dsl concepts check.`);
  return exitCodes.ok;
}

function questions(snapshot: Snapshot): readonly Question[] {
  const { categories, directions, families } = snapshot.vocabulary;
  const id = (text: string): string | undefined => {
    if (!conceptIdSchema.safeParse(text).success) return "An id is lower-case words joined by hyphens.";
    const taken = snapshot.viewFor(localCaller()).placeOf(text);
    return taken && `\`${text}\` is taken by ${taken.file}.`;
  };
  const source = (text: string): string | undefined => {
    const keys = Object.keys(snapshot.sources);
    if (keys.includes(text)) return undefined;
    const near = nearest(text, keys);
    return `There is no source \`${text}\` in sources.yaml.${near ? ` Did you mean \`${near}\`?` : ""}`;
  };
  return [
    { key: "id", flag: "--id", ask: "Id (lower-case words joined by hyphens)", check: id },
    { key: "name", flag: "--name", ask: "Name, in its own orthography" },
    { key: "category", flag: "--category", ask: "Category", oneOf: categories.map((it) => it.id) },
    { key: "family", flag: "--family", ask: "Family", oneOf: families.map((it) => it.id) },
    { key: "holder", flag: "--holder", ask: "Who holds or wrote it (people and Nation as sourced)" },
    { key: "byLine", flag: "--by-line", ask: "The short attribution printed with it" },
    { key: "direction", flag: "--direction", ask: "Direction", oneOf: directions.values.map((it) => it.id) },
    { key: "basis", flag: "--basis", ask: "Why it stands there (not-placed when no source says)" },
    { key: "definition", flag: "--definition", ask: "Definition, two to four sentences, attributed" },
    { key: "source", flag: "--source", ask: "Key of its source in sources.yaml", check: source },
  ];
}

async function answered(
  all: readonly Question[],
  given: NewConcept,
  io: Io,
): Promise<Readonly<Record<keyof NewConcept, string>>> {
  const answers: Record<string, string> = {};
  const reader = io.isTerminal ? createInterface({ input: io.stdin, output: io.stderr }) : undefined;
  try {
    for (const question of all) {
      let answer = given[question.key];
      let fault = answer === undefined ? undefined : faultOf(question, answer);
      while (answer === undefined || fault !== undefined) {
        if (!reader)
          throw new UsageError(
            fault ? `${question.flag}: ${fault}` : `${question.flag} is missing: ${question.ask}${choices(question)}.`,
          );
        if (fault) io.stderr.write(`${fault}\n`);
        answer = (await reader.question(`${question.ask}${choices(question)}: `)).trim();
        fault = faultOf(question, answer);
      }
      answers[question.key] = answer;
    }
  } finally {
    reader?.close();
  }
  return answers as Readonly<Record<keyof NewConcept, string>>;
}

function faultOf({ oneOf, check }: Question, answer: string): string | undefined {
  if (answer === "") return "It may not be empty.";
  if (!oneOf || oneOf.includes(answer)) return check?.(answer);
  const near = nearest(answer, oneOf);
  return `\`${answer}\` is none of ${oneOf.join(", ")}.${near ? ` Did you mean \`${near}\`?` : ""}`;
}

function choices({ oneOf }: Question): string {
  return oneOf ? ` (${oneOf.join(", ")})` : "";
}

function fileText(concept: Readonly<Record<keyof NewConcept, string>>): string {
  const document = new Document({
    id: concept.id,
    name: concept.name,
    names: [],
    aliases: [],
    category: concept.category,
    family: concept.family,
    peoples: [],
    holder: concept.holder,
    by_line: concept.byLine,
    direction: concept.direction,
    direction_basis: concept.basis,
    definition: concept.definition,
    ocap: { relevance: "to be asked", access: "open", status: "not-assessed" },
    relations: [],
    usage_contexts: [],
    sources: [{ key: concept.source, seen: "secondary" }],
  });
  return document.toString({ lineWidth: 110 });
}
