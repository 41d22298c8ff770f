import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type Range,
} from "vscode-languageserver";
import { type Checked, type Checks, markOf } from "../diagnostics/checks.ts";
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
  const here = findings.filter((it) => overlaps(toRange(document, it), params.range)).slice(0, maxFindings);
  const subjects = here.map((finding) => ({
    session,
    checked,
    finding,
    ...diagnosticOf(diagnostics, document, finding),
  }));
  const replacements = await Promise.all(subjects.map(replacement));
  const quiet = await Promise.all(subjects.map(silences));
  const fixes = diagnostics
    .filter((it) => overlaps(it.range, params.range))
    .flatMap((it) => problemFix(session, checked, it));
  const create = await createConceptAction(session, document, params.range);
  return [...fixes, ...replacements.flat(), ...quiet.flat(), ...create];
}

/** A selection may hold a whole document; what is offered is checked one by one. */
const maxFindings = 20;

/** A finding that something can be done about. */
interface Subject {
  readonly session: Session;
  readonly checked: Checked;
  readonly finding: Finding;
  readonly diagnostic?: Diagnostic;
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
): Pick<Subject, "diagnostic"> {
  const { line, character } = document.positionAt(finding.start);
  const diagnostic = diagnostics.find(
    (it) => it.code === finding.rule && it.range.start.line === line && it.range.start.character === character,
  );
  return diagnostic === undefined ? {} : { diagnostic };
}

async function replacement({ session, checked, finding, diagnostic }: Subject): Promise<readonly CodeAction[]> {
  const { fix, text, start, end } = finding;
  if (fix === undefined || fix === text) return [];
  const change = { start, end, newText: asWritten(fix, text) };
  if (!(await checked.verify.finding([change], finding, "replacement"))) return [];
  const edit = { document: checked.document, ...change };
  return [action(session, `Write “${change.newText}”`, [edit], diagnostic, { isPreferred: true })];
}

async function silences({ session, checked, finding, diagnostic }: Subject): Promise<readonly CodeAction[]> {
  const { document, verify } = checked;
  const { rule, text } = finding;
  const silence = async (where: "line" | "file", title: string): Promise<readonly CodeAction[]> => {
    const changes = suppressionEdit(document, finding, where);
    if (changes === undefined || !(await verify.finding(changes, finding, "suppression"))) return [];
    const edits = changes.map((it) => ({ document, ...it }));
    return [action(session, title, edits, diagnostic)];
  };
  const accept = await acceptEdit(session, document.uri, text);
  return [
    ignoreOnce(document, finding, diagnostic),
    ...(await silence("line", `Ignore ${rule} here`)),
    ...(await silence("file", `Ignore ${rule} in this file`)),
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

/** The replacement that a concept file's problem carries, where one is safe. */
function problemFix(session: Session, { document, verify }: Checked, diagnostic: Diagnostic): readonly CodeAction[] {
  const data: unknown = diagnostic.data;
  const fix: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "fix") : undefined;
  if (typeof fix !== "string" || typeof diagnostic.message !== "string") return [];
  const start = document.offsetAt(diagnostic.range.start);
  const end = document.offsetAt(diagnostic.range.end);
  const change = { start, end, newText: fix };
  if (!verify.problem([change], diagnostic.message)) return [];
  return [action(session, `Write \`${fix}\``, [{ document, ...change }], diagnostic, { isPreferred: true })];
}

function action(
  session: Session,
  title: string,
  edits: readonly FileEdit[],
  diagnostic: Diagnostic | undefined,
  { isPreferred = false }: { readonly isPreferred?: boolean } = {},
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
