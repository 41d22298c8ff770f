import type { FileKind } from "../../../core/concept/parse-file.ts";
import type { Problem } from "../../../core/concept/problem.ts";
import { checkConcepts } from "../../../core/queries/check-concepts.ts";
import type { Settings } from "../../../settings/schema.ts";
import { exitCodes, type Io, print } from "../../kit/io.ts";
import { open } from "../../kit/open.ts";
import { formatProblems, type ProblemFormat } from "./problem-formats.ts";

/** Every problem of the vocabulary, loading and thesaurus checks together. Exit 1 when one is an error or a warning. */
export async function runConceptsCheck(format: ProblemFormat, settings: Settings, io: Io): Promise<number> {
  const { workspace } = await open({ ...settings, ledger: "none" }, { watch: false });
  await workspace.ready;
  const { snapshot } = workspace;
  const problems = [...snapshot.problems, ...checkConcepts(snapshot)];
  print(io, formatProblems(problems, format, { root: workspace.folder, concepts: snapshot.undisclosed.size }));
  await workspace.dispose();
  return problems.some(isSerious) ? exitCodes.found : exitCodes.ok;
}

function isSerious(problem: Problem): boolean {
  return problem.severity !== "information";
}

/** One line a concept: id, name, category, direction, access. */
export async function runConceptsList(asJson: boolean, settings: Settings, io: Io): Promise<number> {
  const { workspace, caller } = await open({ ...settings, ledger: "none" }, { watch: false });
  await workspace.ready;
  const rows = [...workspace.snapshot.viewFor(caller).concepts.values()].map(({ concept }) => ({
    id: concept.id,
    name: concept.name,
    category: concept.category,
    direction: concept.direction,
    access: concept.ocap.access,
  }));
  const width = (key: "id" | "name" | "category") => Math.max(0, ...rows.map((it) => it[key].length));
  const [id, name, category] = [width("id"), width("name"), width("category")];
  const line = (it: (typeof rows)[number]) =>
    `${it.id.padEnd(id)}  ${it.name.padEnd(name)}  ${it.category.padEnd(category)}  ${it.direction.padEnd(6)}  ${it.access}`;
  print(io, asJson ? JSON.stringify(rows, undefined, 2) : rows.map(line).join("\n"));
  await workspace.dispose();
  return exitCodes.ok;
}

/** JSON Schema of a concept file, so that any YAML editor completes and checks it. */
export async function runConceptsSchema(kind: FileKind, io: Io): Promise<number> {
  const { jsonSchemaOf } = await import("../../../core/concept/parse-file.ts");
  print(io, JSON.stringify(jsonSchemaOf(kind), undefined, 2));
  return exitCodes.ok;
}
