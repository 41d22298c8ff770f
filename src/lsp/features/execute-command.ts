import { type CancellationToken, ErrorCodes, type ExecuteCommandParams, ResponseError } from "vscode-languageserver";
import { neighborhood } from "../../core/queries/neighborhood.ts";
import { ref, resolve } from "../../core/queries/resolve.ts";
import { relation } from "../../core/render/card.ts";
import type { Checks } from "../diagnostics/checks.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { Session } from "../documents/session.ts";
import { workspaceDocuments } from "../documents/workspace-files.ts";
import { commands } from "../protocol/capabilities.ts";

/** Commands that editors offer by name. */
export async function executeCommand(
  session: Session,
  checks: Checks,
  diagnostics: Diagnostics,
  params: ExecuteCommandParams,
  token: CancellationToken,
): Promise<unknown> {
  if (params.command === commands.checkWorkspace) return checkWorkspace(session, checks, token);
  if (params.command === commands.ignoreOnce) {
    const [uri, mark]: readonly unknown[] = params.arguments ?? [];
    if (typeof uri === "string" && typeof mark === "string") checks.ignoreOnce(uri, mark);
    diagnostics.refresh();
    return null;
  }
  if (params.command === commands.neighborhood) return around(session, params.arguments?.[0]);
  throw new ResponseError(
    ErrorCodes.InvalidParams,
    `There is no command \`${params.command}\`. Known: ${Object.values(commands).join(", ")}.`,
  );
}

/** What stands within two relations of a concept, for an editor that draws it. */
async function around(session: Session, name: unknown): Promise<unknown> {
  const { view } = await session.current();
  const found = resolve(view, typeof name === "string" ? name : "");
  if (found.kind !== "found")
    throw new ResponseError(ErrorCodes.InvalidParams, `\`${String(name)}\` names no single concept.`);
  const { nodes, edges } = neighborhood(view, found.concept, 2);
  return { concept: ref(found.concept), nodes, edges: edges.map((it) => relation(view, it)) };
}

export interface WorkspaceCheck {
  readonly files: number;
  readonly findings: number;
  readonly by_file: readonly { readonly uri: string; readonly findings: number }[];
}

/** Checks every text of the workspace; progress is shown where the client can show it. */
async function checkWorkspace(session: Session, checks: Checks, token: CancellationToken): Promise<WorkspaceCheck> {
  const progress = session.client.progress ? await session.connection.window.createWorkDoneProgress() : undefined;
  progress?.begin("Checking the workspace", undefined, undefined, true);
  let files = 0;
  const found: { uri: string; findings: number }[] = [];
  try {
    for await (const document of workspaceDocuments(session, token)) {
      if (progress?.token.isCancellationRequested === true) break;
      files += 1;
      const checked = await checks.of(document.uri);
      if (checked !== undefined && checked.diagnostics.length > 0)
        found.push({ uri: document.uri, findings: checked.diagnostics.length });
      progress?.report(`${files} files`);
    }
  } finally {
    progress?.done();
  }
  const findings = found.reduce((sum, it) => sum + it.findings, 0);
  return { files, findings, by_file: found.sort((a, b) => b.findings - a.findings).slice(0, 200) };
}
