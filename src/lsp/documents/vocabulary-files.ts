import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { lazyPlaces } from "../../core/concept/parse-file.ts";
import type { Range } from "../../core/concept/problem.ts";
import type { Path } from "../../core/concept/yaml-document.ts";
import { filePath, fileUri } from "../protocol/uris.ts";
import type { OpenDocument } from "./documents.ts";
import type { RequestSnapshot, Session } from "./session.ts";

/**
 * Every YAML file of the vocabulary that the client may be answered from, as the person sees it: the open draft, else
 * the file on disk.
 */
export async function vocabularyDocuments(
  session: Session,
  current: RequestSnapshot,
): Promise<readonly OpenDocument[]> {
  const { folder } = session.options;
  if (folder === undefined) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((it) => it.isFile() && /\.ya?ml$/i.test(it.name))
    .map((it) => path.join(it.parentPath, it.name))
    .filter((it) => session.reads(current, fileUri(it)) !== "nothing")
    .sort();
  const read = await Promise.all(files.map((file) => openOrRead(session, file)));
  return read.filter((it) => it !== undefined);
}

/** One file of the vocabulary by its path below the folder. */
export function vocabularyDocument(session: Session, file: string): Promise<OpenDocument | undefined> {
  const uri = session.vocabularyUri(file);
  const found = uri === undefined ? undefined : filePath(uri);
  return found === undefined ? Promise.resolve(undefined) : openOrRead(session, found);
}

/** Where the value at a path of a vocabulary file stands, in the text that the person sees. */
export async function placeIn(
  session: Session,
  file: string,
  valuePath: Path,
): Promise<{ readonly uri: string; readonly range: Range } | undefined> {
  const document = await vocabularyDocument(session, file);
  if (document === undefined) return undefined;
  return { uri: document.uri, range: document.encoded(lazyPlaces(file, document.text).value(valuePath)) };
}

async function openOrRead(session: Session, file: string): Promise<OpenDocument | undefined> {
  const uri = fileUri(file);
  const open = await session.document(uri);
  if (open !== undefined) return open;
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : session.documents.fromText(uri, "yaml", text);
}
