import path from "node:path";
import {
  type CancellationToken,
  type ChangeAnnotation,
  ErrorCodes,
  type Range,
  type RenameParams,
  ResponseError,
  type TextDocumentPositionParams,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { finish } from "../../base/steps.ts";
import { conceptIdSchema } from "../../core/concept/concept.ts";
import { readDocument } from "../../core/text/formats/read-document.ts";
import { strictKey } from "../../core/text/words/words.ts";
import { documentFormat, type OpenDocument } from "../documents/documents.ts";
import type { RequestSnapshot, Session } from "../documents/session.ts";
import { conceptsOf, targetAt } from "../documents/target.ts";
import { toRange } from "../documents/to-lsp.ts";
import { vocabularyDocuments } from "../documents/vocabulary-files.ts";
import { editsOf, type FileEdit } from "../edits/workspace-edit.ts";
import { type Change, changed } from "../protocol/change.ts";
import { filePath } from "../protocol/uris.ts";
import { replaceValues } from "../yaml/yaml-edit.ts";
import { type YamlField, yamlFields } from "../yaml/yaml-fields.ts";
import { meaningOf } from "../yaml/yaml-meaning.ts";
import { placesOf } from "./references.ts";

/** What is being renamed: a concept's id in the vocabulary, or one of its names as it is written. */
type Subject =
  | { readonly kind: "id"; readonly id: string; readonly start: number; readonly end: number }
  | { readonly kind: "name"; readonly id: string; readonly text: string; readonly start: number; readonly end: number };

/** The range and the present text, or a refusal that says why this cannot be renamed. */
export async function prepareRename(
  session: Session,
  params: TextDocumentPositionParams,
): Promise<{ range: Range; placeholder: string } | null> {
  const found = await subjectAt(session, params);
  if (found === undefined) return null;
  const { document, subject } = found;
  return { range: toRange(document, subject), placeholder: subject.kind === "id" ? subject.id : subject.text };
}

/**
 * Changes the vocabulary's own references. Names in prose are changed only on request: by the setting `rename.prose`,
 * or as changes that the client asks to confirm. Code, links and quoted addresses are left alone.
 */
export async function rename(
  session: Session,
  params: RenameParams,
  token: CancellationToken,
): Promise<WorkspaceEdit | null> {
  const found = await subjectAt(session, params);
  if (found === undefined) return null;
  const { current, subject } = found;
  const to = params.newName.trim();
  if (subject.kind === "id") {
    refuseBadId(current, subject.id, to);
    return editsOf(session, await idEdits(session, current, subject.id, to));
  }
  if (to === "") throw refusal("A name may not be empty.");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name may not hold.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(to)) throw refusal("A name is one line of text.");
  const edits = await nameEdits(session, current, subject, to);
  const prose = await proseEdits(session, current, subject, to, token);
  return editsOf(session, [...edits, ...prose.edits], prose.annotations);
}

async function subjectAt(
  session: Session,
  params: TextDocumentPositionParams,
): Promise<{ current: RequestSnapshot; document: OpenDocument; subject: Subject } | undefined> {
  const current = await session.current();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, current, document, params.position);
  if (document === undefined || target === undefined) return undefined;
  const ids = conceptsOf(current, target);
  const id = ids[0];
  if (id === undefined) return undefined;
  if (ids.length > 1)
    throw refusal(`Several concepts go by this name (${ids.join(", ")}). Rename it in its concept file.`);
  const { start, end } = target;
  if (target.kind === "field") return { current, document, subject: { kind: "id", id, start, end } };
  const text = document.text.slice(start, end);
  if (text === id) return { current, document, subject: { kind: "id", id, start, end } };
  const named = current.view.names.at(document.text, start)?.candidates[0];
  // Prose that spells an id with spaces means the name.
  const written = named?.kind === "id" ? current.view.concepts.get(id)?.concept.name : named?.text;
  return { current, document, subject: { kind: "name", id, text: written ?? text, start, end } };
}

function refuseBadId(current: RequestSnapshot, from: string, to: string): void {
  const checked = conceptIdSchema.safeParse(to);
  if (!checked.success)
    throw refusal(`\`${to}\` cannot be an id: ${checked.error.issues[0]?.message ?? "it is malformed"}.`);
  if (to !== from && current.view.concepts.has(to)) throw refusal(`The id \`${to}\` is already taken. Choose another.`);
}

async function idEdits(
  session: Session,
  current: RequestSnapshot,
  from: string,
  to: string,
): Promise<readonly FileEdit[]> {
  const documents = await vocabularyDocuments(session, current);
  return documents.flatMap((document) => {
    const fields = yamlFields(document.text).filter((it) => meaningOf(it) === "concept" && it.value === from);
    const disclosed =
      session.reads(current, document.uri) === "all" ? fields : fields.filter((it) => it.path.length === 1);
    return writeValues(document, disclosed, to);
  });
}

/** The name where the vocabulary writes it: the concept's own file, the fields that hold names. */
async function nameEdits(
  session: Session,
  current: RequestSnapshot,
  subject: Subject & { kind: "name" },
  to: string,
): Promise<readonly FileEdit[]> {
  const documents = await vocabularyDocuments(session, current);
  const own = documents.find((it) => yamlFields(it.text).some((field) => isOwnId(field, subject.id)));
  if (own === undefined) return [];
  const fields = yamlFields(own.text).filter(
    (it) => isNameField(it) && strictKey(it.value) === strictKey(subject.text),
  );
  if (fields.length === 0)
    throw refusal(`“${subject.text}” is not written on one line in ${nameOf(own)}. Change it there by hand.`);
  return writeValues(own, fields, to);
}

/** Refuses where the file does not parse, or where more than these values would change. */
function writeValues(document: OpenDocument, fields: readonly YamlField[], value: string): readonly FileEdit[] {
  const changes = replaceValues(document.text, fields, value);
  if (changes !== undefined) return changes.map((it) => ({ document, ...it }));
  throw refusal(
    `\`${value}\` cannot be written into ${nameOf(document)} without changing more. Change it there by hand.`,
  );
}

const nameOf = ({ uri }: OpenDocument): string => path.basename(filePath(uri) ?? uri);

const isOwnId = (field: YamlField, id: string): boolean => field.path.join(".") === "id" && field.value === id;
const isNameField = (field: YamlField): boolean => nameFields.has(field.path.join("."));

const nameFields: ReadonlySet<string> = new Set(["name", "names.text", "names.inflections.-", "aliases.-"]);

const proseAnnotation = "prose";

async function proseEdits(
  session: Session,
  current: RequestSnapshot,
  subject: Subject & { kind: "name" },
  to: string,
  token: CancellationToken,
): Promise<{ edits: readonly FileEdit[]; annotations?: Readonly<Record<string, ChangeAnnotation>> }> {
  const confirmable = session.client.changeAnnotations && session.client.versionedEdits;
  const edits: FileEdit[] = [];
  for await (const { document, spans } of placesOf(session, current, new Set([subject.id]), token)) {
    if (session.vocabularyFile(document.uri) !== undefined) continue;
    const { rename: wanted } = await session.settingsFor(document.uri);
    if (!wanted.prose && !confirmable) continue;
    const inProse = proseOnly(document);
    const named = spans.filter(
      ({ start, end }) => inProse(start, end) && strictKey(document.text.slice(start, end)) === strictKey(subject.text),
    );
    const changes = named.map(({ start, end }) => ({ start, end, newText: to }));
    const annotation = wanted.prose ? {} : { annotation: proseAnnotation };
    if (readsAlike(document, changes)) edits.push(...changes.map((it) => ({ document, ...it, ...annotation })));
    else if (wanted.prose)
      throw refusal(`\`${to}\` would change how ${nameOf(document)} is read. Choose a name without markup.`);
  }
  if (!edits.some((it) => it.annotation !== undefined)) return { edits };
  const label = { label: "Names in prose", description: "Written outside the vocabulary", needsConfirmation: true };
  return { edits, annotations: { [proseAnnotation]: label } };
}

const refusal = (message: string): ResponseError => new ResponseError(ErrorCodes.InvalidParams, message);

/** Whether the changed document has the passages that it had, one for one: a name may hold what a format reads as markup. */
function readsAlike(document: OpenDocument, changes: readonly Change[]): boolean {
  const format = documentFormat(document);
  if (format === undefined || changes.length === 0) return true;
  const before = finish(readDocument(document.text, format));
  const after = finish(readDocument(changed(document.text, changes), format));
  const differing = before.passages.filter((it, at) => it.text !== after.passages[at]?.text);
  return (
    before.passages.length === after.passages.length &&
    before.comments.length === after.comments.length &&
    before.passages.every((it, at) => it.kind === after.passages[at]?.kind) &&
    differing.length <= changes.length
  );
}

/** Whether a stretch of a document is running text: not code, a link's address, front matter or a comment. */
function proseOnly(document: OpenDocument): (start: number, end: number) => boolean {
  const format = documentFormat(document);
  if (format === undefined) return () => false;
  const read = new Uint8Array(document.text.length);
  for (const passage of finish(readDocument(document.text, format)).passages) {
    if (passage.kind === "code" || passage.exempt === "front matter") continue;
    for (let at = 0; at < passage.text.length; at += 1) {
      const { start, end } = passage.source.range(at, at + 1);
      if (passage.text[at] === document.text[start]) read.fill(1, start, end);
    }
  }
  return (start, end) => {
    const stretch = document.text.slice(start, end);
    return [...stretch].every(
      (character, index) => /\s/.test(character) || read[start + index] === 1 || /[>#/]/.test(character),
    );
  };
}
