import type { Diagnostics } from "./diagnostics.ts";
import type { Session } from "./session.ts";

/** After each new vocabulary: check again, and ask the client to ask again. Returns the way to stop. */
export function followVocabulary(session: Session, diagnostics: Diagnostics): () => void {
  return session.options.source.onDidChange(() => {
    diagnostics.refresh();
    const { client, connection } = session;
    const asked = [
      client.refreshSemanticTokens && connection.languages.semanticTokens.refresh(),
      client.refreshInlayHints && connection.languages.inlayHint.refresh(),
      client.refreshCodeLens && sendRefresh(session),
    ];
    for (const refresh of asked) if (refresh !== false) refresh.catch(() => undefined);
  });
}

const sendRefresh = (session: Session): Promise<unknown> =>
  session.connection.sendRequest("workspace/codeLens/refresh");
