import { setTimeout } from "node:timers/promises";
import type { Diagnostics } from "./diagnostics/diagnostics.ts";
import type { Session } from "./documents/session.ts";

/** Shorter waits need no progress notice. */
const noticeableMs = 300;

/** After each new vocabulary: check again, and ask the client to ask again. Returns the way to stop. */
export function followVocabulary(session: Session, diagnostics: Diagnostics): () => void {
  return session.options.source.onDidChange(() => {
    diagnostics.refresh();
    const { client, connection } = session;
    const refreshes = [
      client.refreshSemanticTokens && connection.languages.semanticTokens.refresh(),
      client.refreshInlayHints && connection.languages.inlayHint.refresh(),
      client.refreshCodeLens && sendRefresh(session),
    ];
    for (const refresh of refreshes) if (refresh !== false) refresh.catch(() => undefined);
  });
}

/** Says that the vocabulary is being read, when that takes long enough to be noticed and the client can show it. */
export async function showLoading(session: Session): Promise<void> {
  const { ready } = session.options.source;
  if (!session.client.progress) return;
  let isRead = false;
  const read = ready.then(() => {
    isRead = true;
  });
  await Promise.race([read, setTimeout(noticeableMs, undefined, { ref: false })]);
  if (isRead) return;
  const progress = await session.connection.window.createWorkDoneProgress();
  progress.begin("Reading the vocabulary");
  await read.finally(() => progress.done());
}

const sendRefresh = (session: Session): Promise<unknown> =>
  session.connection.sendRequest("workspace/codeLens/refresh");
