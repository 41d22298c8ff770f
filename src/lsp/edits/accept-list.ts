import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../base/json-rpc.ts";
import type { Session } from "../documents/session.ts";
import { filePath, fileUri } from "../protocol/uris.ts";
import { valuesOf } from "../yaml/yaml-edit.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";
import type { FileEdit } from "./workspace-edit.ts";

export interface AcceptEdit {
  /** The project file's name, as the person sees it. */
  readonly name: string;
  readonly edit: FileEdit;
}

/**
 * Adds wording to `accept` of the project file that governs the document. Only ever a file that is there: none is
 * created, and nothing in it is replaced.
 */
export async function acceptEdit(session: Session, uri: string, wording: string): Promise<AcceptEdit | undefined> {
  const file = filePath(uri);
  const project =
    file === undefined ? undefined : await session.configuration.settingsFiles.nearest(path.dirname(file));
  if (project === undefined) return undefined;
  const projectUri = fileUri(project.path);
  const document = (await session.document(projectUri)) ?? session.documents.fromText(projectUri, "yaml", project.text);
  const item = wording.replace(/\s+/g, " ");
  const insertion = insertItem(document.text, JSON.stringify(item));
  if (insertion === undefined) return undefined;
  const { at, newText } = insertion;
  const text = document.text.slice(0, at) + newText + document.text.slice(at);
  if (!isDeepStrictEqual(valuesOf(text), withAccepted(document.text, item))) return undefined;
  return { name: path.basename(project.path), edit: { document, start: at, end: at, newText } };
}

/** What the file is to hold after the edit; `undefined` where it cannot be read as settings. */
function withAccepted(text: string, item: string): readonly unknown[] | undefined {
  const [settings = {}, ...more] = valuesOf(text) ?? [[]];
  const own = settings ?? {};
  if (!isRecord(own) || more.length > 0) return undefined;
  const accepted = own.accept ?? [];
  return Array.isArray(accepted) ? [{ ...own, accept: [...accepted, item] }] : undefined;
}

/** Where and how an item joins the list. `undefined` for shapes that cannot be extended without rewriting them. */
function insertItem(text: string, item: string): { readonly at: number; readonly newText: string } | undefined {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const field = yamlFields(text).find((it) => it.path.join(".") === "accept");
  if (field === undefined) {
    const gap = text === "" || text.endsWith("\n") ? "" : newline;
    return { at: text.length, newText: `${gap}accept:${newline}  - ${item}${newline}` };
  }
  const body = text.slice(field.keyEnd + 1, field.end);
  if (/^[ \t]*\[/.test(body)) {
    const close = body.lastIndexOf("]");
    if (close < 0) return undefined;
    const isEmpty = /^[ \t]*\[\s*$/.test(body.slice(0, close));
    return { at: field.keyEnd + 1 + close, newText: isEmpty ? item : `, ${item}` };
  }
  const items = [...body.matchAll(/(?:^|\n)([ \t]*)- [^\n\r]*/g)];
  const last = items.at(-1);
  if (last === undefined)
    return body.trim() === "" ? { at: field.keyEnd + 1, newText: `${newline}  - ${item}` } : undefined;
  return { at: field.keyEnd + 1 + last.index + last[0].length, newText: `${newline}${last[1] ?? "  "}- ${item}` };
}
