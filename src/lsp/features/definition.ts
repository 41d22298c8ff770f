import type { DefinitionParams, Location } from "vscode-languageserver";
import type { Session } from "../documents/session.ts";
import { conceptPlace, conceptsOf, namedPlace, targetAt } from "../documents/target.ts";
import { pageScheme } from "../protocol/capabilities.ts";

/** To the place in the YAML where the concept under the caret is written; every sense of a shared name. */
export async function definition(session: Session, params: DefinitionParams): Promise<Location[] | null> {
  const current = await session.current();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, current, document, params.position);
  if (target === undefined) return null;
  if (target.kind === "field" && target.meaning !== "concept") {
    const place = await namedPlace(session, current, target.meaning, target.field.value);
    return place === undefined ? null : [{ uri: place.uri, range: place.range }];
  }
  const places = await Promise.all(
    conceptsOf(current, target).map(async (id) => (await conceptPlace(session, current, id)) ?? pageOf(session, id)),
  );
  const found = places.filter((it) => it !== undefined);
  return found.length === 0 ? null : found.map(({ uri, range }) => ({ uri, range }));
}

/** Without a file on this disk, the page of the concept, for clients that can open it. */
function pageOf(session: Session, id: string): Location | undefined {
  const start = { line: 0, character: 0 };
  return session.client.textDocumentContent
    ? { uri: `${pageScheme}://concepts/${id}`, range: { start, end: start } }
    : undefined;
}
