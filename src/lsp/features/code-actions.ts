import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type Range,
} from "vscode-languageserver";
import { type Checks, markOf } from "../diagnostics/checks.ts";
import type { Finding } from "../diagnostics/prose-findings.ts";
import type { OpenDocument } from "../documents/documents.ts";
import type { Session } from "../documents/session.ts";
import { toRange } from "../documents/to-lsp.ts";
import { acceptEdit } from "../edits/accept-list.ts";
import { createConceptAction } from "../edits/create-concept.ts";
import { suppressionEdit } from "../edits/suppression-edit.ts";
import { editsOf, type FileEdit } from "../edits/workspace-edit.ts";
import { commands } from "../protocol/capabilities.ts";

/**
 * What can be done about the findings in a range. Every edit is for the text it was computed from, and none replaces
 * a file. Diagnostics that the client sends are only used to say which one an action mends: they may be missing,
 * foreign or without data.
 */
export async function codeActions(
  session: Session,
  checks: Checks,
  params: CodeActionParams,
): Promise<CodeAction[] | null> {
  if (!wants(params.context?.only)) return [];
  const checked = await checks.of(params.textDocument.uri);
  if (checked === undefined || session.documents.get(params.textDocument.uri) === undefined) return null;
  const { document, diagnostics, findings } = checked;
  const here = findings.filter((it) => overlaps(toRange(document, it), params.range));
  const actions = here.flatMap((finding) =>
    replacements(session, document, finding, diagnosticOf(diagnostics, document, finding)),
  );
  const quiet = await Promise.all(
    here.map((finding) => silences(session, document, finding, diagnosticOf(diagnostics, document, finding))),
  );
  const fixes = diagnostics
    .filter((it) => overlaps(it.range, params.range))
    .flatMap((it) => problemFix(session, document, it));
  const create = await createConceptAction(session, document, params.range);
  return [...fixes, ...actions, ...quiet.flat(), ...create];
}

function wants(only: readonly string[] | undefined): boolean {
  if (!Array.isArray(only) || only.length === 0) return true;
  return only.some(
    (kind) => kind === "" || kind === CodeActionKind.QuickFix || kind.startsWith(`${CodeActionKind.QuickFix}.`),
  );
}

function overlaps(a: Range, b: Range): boolean {
  const before = (p: Range["start"], q: Range["start"]): boolean =>
    p.line < q.line || (p.line === q.line && p.character <= q.character);
  return before(a.start, b.end) && before(b.start, a.end);
}

function diagnosticOf(
  diagnostics: readonly Diagnostic[],
  document: OpenDocument,
  finding: Finding,
): Diagnostic | undefined {
  const { line, character } = document.positionAt(finding.start);
  return diagnostics.find(
    (it) => it.code === finding.rule && it.range.start.line === line && it.range.start.character === character,
  );
}

function replacements(
  session: Session,
  document: OpenDocument,
  finding: Finding,
  diagnostic: Diagnostic | undefined,
): readonly CodeAction[] {
  const safe = finding.fix;
  if (safe === undefined || safe === finding.text) return [];
  const edit = { document, start: finding.start, end: finding.end, newText: asWritten(safe, finding.text) };
  return [action(session, `Write “${edit.newText}”`, [edit], diagnostic, true)];
}

async function silences(
  session: Session,
  document: OpenDocument,
  finding: Finding,
  diagnostic: Diagnostic | undefined,
): Promise<readonly CodeAction[]> {
  const { rule, text } = finding;
  const line = suppressionEdit(document, finding, "line");
  const file = suppressionEdit(document, finding, "file");
  const accept = await acceptEdit(session, document.uri, text);
  return [
    ignoreOnce(document, finding, diagnostic),
    ...(line === undefined ? [] : [action(session, `Ignore ${rule} here`, [line], diagnostic)]),
    ...(file === undefined ? [] : [action(session, `Ignore ${rule} in this file`, [file], diagnostic)]),
    ...(accept === undefined
      ? []
      : [action(session, `Accept “${text}” in this project (${accept.name})`, [accept.edit], diagnostic)]),
  ];
}

/** Writes nothing: the finding is set aside until its line changes or the document closes. */
function ignoreOnce(document: OpenDocument, finding: Finding, diagnostic: Diagnostic | undefined): CodeAction {
  const title = `Ignore “${finding.text.replace(/\s+/g, " ")}” this once`;
  const command = { title, command: commands.ignoreOnce, arguments: [document.uri, markOf(document, finding)] };
  return {
    title,
    kind: CodeActionKind.QuickFix,
    command,
    ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
  };
}

/** A concept file's problem says its own mend, where one is safe. */
function problemFix(session: Session, document: OpenDocument, diagnostic: Diagnostic): readonly CodeAction[] {
  const data: unknown = diagnostic.data;
  const fix: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "fix") : undefined;
  if (typeof fix !== "string") return [];
  const start = document.offsetAt(diagnostic.range.start);
  const end = document.offsetAt(diagnostic.range.end);
  return [action(session, `Write \`${fix}\``, [{ document, start, end, newText: fix }], diagnostic, true)];
}

function action(
  session: Session,
  title: string,
  edits: readonly FileEdit[],
  diagnostic: Diagnostic | undefined,
  isPreferred = false,
): CodeAction {
  return {
    title,
    kind: CodeActionKind.QuickFix,
    edit: editsOf(session, edits),
    ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
    ...(isPreferred ? { isPreferred } : {}),
  };
}

/** The replacement begins with a capital where the flagged words did. */
function asWritten(replacement: string, flagged: string): string {
  const isCapital = /^\p{Lu}/u.test(flagged) && !/^\p{Lu}{2}/u.test(flagged);
  return isCapital ? replacement.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : replacement;
}
