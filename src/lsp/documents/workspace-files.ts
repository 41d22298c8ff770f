import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import ignore, { type Ignore } from "ignore";
import type { CancellationToken } from "vscode-languageserver";
import { below, fileUri } from "../protocol/uris.ts";
import type { OpenDocument } from "./documents.ts";
import type { Session } from "./session.ts";

const maxFiles = 5000;
const maxBytes = 2_097_152;
const prose = /\.(?:md|markdown|mdx|txt|rst|adoc|asciidoc|ya?ml)$/i;
const never: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/**
 * The texts of the workspace's folders, open documents as they stand in the editor. What `.gitignore` files leave out is
 * left out, and so are files over 2 MiB; after 5,000 files it stops. Ends early when canceled.
 */
export async function* workspaceDocuments(session: Session, token: CancellationToken): AsyncIterable<OpenDocument> {
  const seen = new Set<string>();
  const current = await session.current();
  for (const folder of session.folderPaths()) {
    for await (const file of filesBelow(folder, token)) {
      if (token.isCancellationRequested || seen.size >= maxFiles) return;
      if (seen.has(file) || session.reads(current, fileUri(file)) === "nothing") continue;
      seen.add(file);
      const document = await read(session, file);
      if (document !== undefined) yield document;
    }
  }
}

interface Level {
  readonly folder: string;
  readonly rules: readonly { readonly base: string; readonly ignores: Ignore }[];
}

async function* filesBelow(root: string, token: CancellationToken): AsyncIterable<string> {
  const waiting: Level[] = [{ folder: root, rules: [] }];
  for (let level = waiting.pop(); level !== undefined && !token.isCancellationRequested; level = waiting.pop()) {
    const { folder } = level;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const rules = await rulesIn(folder, level.rules);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(folder, entry.name);
      if (never.has(entry.name) || isIgnored(rules, file, entry.isDirectory())) continue;
      if (entry.isDirectory()) waiting.push({ folder: file, rules });
      else if (entry.isFile() && prose.test(entry.name)) yield file;
    }
  }
}

async function rulesIn(folder: string, above: Level["rules"]): Promise<Level["rules"]> {
  const text = await readFile(path.join(folder, ".gitignore"), "utf8").catch(() => undefined);
  return text === undefined ? above : [...above, { base: folder, ignores: ignore().add(text) }];
}

/** The nearest `.gitignore` that speaks of a path decides. */
function isIgnored(rules: Level["rules"], file: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { base, ignores } of rules) {
    const result = ignores.test(below(base, file) + (isFolder ? "/" : ""));
    if (result.ignored) ignored = true;
    if (result.unignored) ignored = false;
  }
  return ignored;
}

async function read(session: Session, file: string): Promise<OpenDocument | undefined> {
  const open = await session.document(fileUri(file));
  if (open !== undefined) return open;
  const size = await stat(file).then(
    (it) => it.size,
    () => Number.POSITIVE_INFINITY,
  );
  return size > maxBytes ? undefined : session.documentOrFile(fileUri(file));
}
