import { serveMcpHttp } from "../../../mcp/http/serve.ts";
import type { Surface } from "../../../mcp/surface.ts";
import type { ReadSettings } from "../../../settings/read-settings.ts";
import type { Address } from "../../kit/address.ts";
import { httpGuards, withoutProtocols } from "../../kit/http-guards.ts";
import type { Opened } from "../../kit/open.ts";
import { ruleHtml } from "./rule-html.ts";

/** Sessions that nobody used for half an hour are gone; beyond a thousand the one idle longest makes room. */
const sessions = { idleMs: 30 * 60_000, max: 1_000 };

/** Serves MCP over HTTP with the access that the settings say. Without tokens it binds loopback only. */
export async function startHttp(
  { host, port }: Address,
  { settings, isProjectVocabulary }: ReadSettings,
  { workspace, ledger, log, surface }: Opened & { readonly surface: () => Surface },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const wanted = await httpGuards(settings, host, log);
  const guards = isProjectVocabulary ? { ...wanted, access: withoutProtocols(wanted.access) } : wanted;
  const rulePage = ruleHtml(workspace);
  const kept = settings.sessions ? { sessions } : {};
  return await serveMcpHttp({
    ...guards,
    ...kept,
    rulePage,
    host,
    port,
    surface,
    source: workspace,
    ledger,
    log,
    drainMs: 800,
  });
}
