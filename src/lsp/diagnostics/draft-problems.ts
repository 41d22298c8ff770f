import { type ParsedFile, parseFile } from "../../core/concept/parse-file.ts";
import { fileStart, type Problem } from "../../core/concept/problem.ts";
import type { Places } from "../../core/concept/yaml-document.ts";
import { resolveReferences } from "../../core/snapshot/resolve-references.ts";
import type { RequestSnapshot } from "../documents/session.ts";

/**
 * The problems of one vocabulary file as it stands in the editor, saved or not, beside the other files as they are
 * loaded. The draft is the truth for its own problems only.
 */
export function draftProblems(current: RequestSnapshot, file: string, text: string): readonly Problem[] {
  const draft = parseFile(file, text);
  const files = [...otherFiles(current, draft), draft].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  const holderOf = (id: string) => current.view.placeOf(id)?.file;
  return resolveReferences(files, { holderOf, unmentioned: current.view.unmentionedIn(file) }).problems.filter(
    (problem) => problem.file === file,
  );
}

function otherFiles({ snapshot, view }: RequestSnapshot, draft: ParsedFile): readonly ParsedFile[] {
  const files: ParsedFile[] = [
    { kind: "vocabulary", file: "vocabulary.yaml", value: snapshot.vocabulary, problems: [], places: nothingPlaces },
    { kind: "sources", file: "sources.yaml", value: view.sources, problems: [], places: nothingPlaces },
    { kind: "terminology", file: "terminology.yaml", value: view.terminology, problems: [], places: nothingPlaces },
  ];
  const kept = files.filter((it) => it.kind !== draft.kind);
  for (const [id, { concept }] of view.concepts) {
    const file = view.placeOf(id)?.file;
    if (file === undefined || file === draft.file) continue;
    kept.push({ kind: "concept", file, value: concept, problems: [], places: nothingPlaces });
  }
  return kept;
}

/** Places of a file that is taken as loaded: only the draft's problems are wanted. */
const nothingPlaces: Places = { value: () => fileStart, key: () => fileStart };
