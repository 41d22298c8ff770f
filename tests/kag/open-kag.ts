import { fileURLToPath } from "node:url";
import { silentLog } from "../../src/base/log.ts";
import { type Caller, localCaller } from "../../src/core/concept/caller.ts";
import type { Snapshot } from "../../src/core/snapshot/snapshot.ts";
import type { KagOptions } from "../../src/kag/kag-host.ts";
import { kagToolsFor } from "../../src/kag/kag-tools.ts";
import { noLedger } from "../../src/ledger/no-ledger.ts";
import type { RequestContext } from "../../src/mcp/request-context.ts";
import type { ToolAnswer, ToolDefinition } from "../../src/mcp/surface.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

export interface Kag {
  readonly snapshot: Snapshot;
  readonly tools: readonly ToolDefinition[];
  call(name: string, args?: unknown, more?: Partial<RequestContext>): Promise<ToolAnswer>;
  /** The frozen return of a call that must give one. */
  told(name: string, args?: unknown, more?: Partial<RequestContext>): Promise<Record<string, unknown>>;
  as(caller: Caller): Kag;
}

export function kagOver(snapshot: Snapshot, options: Partial<KagOptions> = {}, caller = localCaller()): Kag {
  const tools = kagToolsFor({ log: silentLog, ...options })(snapshot.vocabulary);
  const call: Kag["call"] = async (name, args = {}, more = {}) => {
    const tool = tools.find((it) => it.name === name);
    if (!tool) throw new Error(`there is no ${name}`);
    const view = snapshot.viewFor(caller);
    const context = { view, ledger: noLedger(), caller, signal: new AbortController().signal, ...more };
    return tool.call(context, args);
  };
  return {
    snapshot,
    tools,
    call,
    told: async (name, args, more) => {
      const answer = await call(name, args, more);
      if (answer.kind !== "verbatim") throw new Error(`${name} gave no return: ${answer.text}`);
      return JSON.parse(answer.text) as Record<string, unknown>;
    },
    as: (other) => kagOver(snapshot, options, other),
  };
}

export const shippedFolder = fileURLToPath(new URL("../../concepts", import.meta.url));

export async function shippedSnapshot(): Promise<Snapshot> {
  const workspace = openWorkspace(shippedFolder, { log: silentLog, watch: false });
  await workspace.ready;
  const { snapshot } = workspace;
  await workspace.dispose();
  return snapshot;
}
