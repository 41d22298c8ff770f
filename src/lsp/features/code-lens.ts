import type { CancellationToken, CodeLens, CodeLensParams } from "vscode-languageserver";
import { counted } from "../../base/english.ts";
import type { Session } from "../documents/session.ts";
import { toRange } from "../documents/to-lsp.ts";
import { yamlFields } from "../yaml/yaml-fields.ts";
import { placesOf } from "./references.ts";

/** Above each concept of a concept file: how often it is referred to and used. The counts come with the resolve. */
export async function codeLens(session: Session, params: CodeLensParams): Promise<CodeLens[] | null> {
  const uri = params.textDocument.uri;
  const settings = await session.settingsFor(uri);
  const document = await session.document(uri);
  if (document === undefined || !settings.codeLens.enable || session.vocabularyFile(uri) === undefined) return null;
  return yamlFields(document.text)
    .filter((it) => it.path.join(".") === "id" && it.value !== "")
    .map((it) => ({
      range: toRange(document, { start: it.valueStart, end: it.valueEnd }),
      data: { id: it.value, uri: document.uri },
    }));
}

export async function resolveCodeLens(session: Session, lens: CodeLens, token: CancellationToken): Promise<CodeLens> {
  const data: unknown = lens.data;
  if (typeof data !== "object" || data === null) return lens;
  const id: unknown = Reflect.get(data, "id");
  const uri: unknown = Reflect.get(data, "uri");
  if (typeof id !== "string" || typeof uri !== "string") return lens;
  const locations: { uri: string; range: ReturnType<typeof toRange> }[] = [];
  for await (const { document, spans } of placesOf(session, await session.current(), new Set([id]), token)) {
    const places = spans.filter((it) => it.kind !== "definition");
    locations.push(...places.map((it) => ({ uri: document.uri, range: toRange(document, it) })));
  }
  const uses = await session.options.countUses?.(id).catch(() => undefined);
  const title = [
    counted(locations.length, "reference"),
    ...(uses === undefined ? [] : [counted(uses, "recorded use")]),
  ].join(", ");
  return {
    ...lens,
    command: { title, command: "iaip-dsl.showReferences", arguments: [uri, lens.range.start, locations] },
  };
}
