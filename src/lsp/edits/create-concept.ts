import { access } from "node:fs/promises";
import { type CodeAction, CodeActionKind, type Range } from "vscode-languageserver";
import { stringify } from "yaml";
import { looseKey, words } from "../../core/text/words/words.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { filePath } from "../protocol/uris.ts";
import { fieldAt } from "../yaml/yaml-fields.ts";
import { meaningOf } from "../yaml/yaml-meaning.ts";

/**
 * Offers a new concept file for selected words that name none, or for a relation's target that is missing. The file
 * holds only what a person must fill in; it is never written over another.
 */
export async function createConceptAction(
  session: Session,
  document: OpenDocument,
  range: Range,
): Promise<readonly CodeAction[]> {
  const { folder } = session.options;
  if (folder === undefined || !session.client.createFiles || !session.client.versionedEdits) return [];
  const { view } = await session.current();
  const name = wordingAt(session, document, range);
  if (name === undefined || view.names.lookup(name).length > 0) return [];
  const id = looseKey(name)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const category = view.vocabulary.categories[0];
  const uri = category && session.vocabularyUri(`${category.folder}/${id}.yaml`);
  if (id === "" || uri === undefined || category === undefined || (await exists(uri))) return [];
  const start = { line: 0, character: 0 };
  const newText = skeleton(
    id,
    name,
    category.id,
    view.vocabulary.families[0]?.id ?? "",
    view.vocabulary.directions.values.find((it) => it.center)?.id ?? "",
  );
  return [
    {
      title: `Create the concept “${name}” in ${category.folder}/${id}.yaml`,
      kind: CodeActionKind.QuickFix,
      edit: {
        documentChanges: [
          { kind: "create", uri, options: { overwrite: false, ignoreIfExists: false } },
          { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText }] },
        ],
      },
    },
  ];
}

/** One to six selected words, or the missing target of a relation. */
function wordingAt(session: Session, document: OpenDocument, range: Range): string | undefined {
  const start = document.offsetAt(range.start);
  const end = document.offsetAt(range.end);
  if (session.vocabularyFile(document.uri) !== undefined) {
    const field = fieldAt(document.text, start);
    return field !== undefined && field.path.length > 1 && meaningOf(field) === "concept" && field.value !== ""
      ? field.value
      : undefined;
  }
  const selected = document.text
    .slice(start, Math.min(end, start + 200))
    .trim()
    .replace(/\s+/g, " ");
  const count = words(selected).length;
  return start < end && count > 0 && count <= 6 && !/[.!?;:<>{}[\]()`"]/.test(selected) ? selected : undefined;
}

function skeleton(id: string, name: string, category: string, family: string, direction: string): string {
  return stringify({
    id,
    name,
    category,
    family,
    holder: "",
    by_line: "",
    direction,
    direction_basis: "not-placed",
    definition: "",
    ocap: { relevance: "", access: "open", status: "not-assessed" },
  });
}

async function exists(uri: string): Promise<boolean> {
  const file = filePath(uri);
  if (file === undefined) return true;
  return access(file).then(
    () => true,
    () => false,
  );
}
