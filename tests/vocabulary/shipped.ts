import { join } from "node:path";
import { silentLog } from "../../src/base/log.ts";
import { localCaller } from "../../src/core/concept/caller.ts";
import type { Concept } from "../../src/core/concept/concept.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

export const conceptsFolder = join(import.meta.dirname, "../../concepts");

/** The vocabulary as it ships, once with all that its files hold and once as a caller without grants sees it. */
export async function openShipped() {
  const workspace = openWorkspace(conceptsFolder, { log: silentLog, watch: false });
  await workspace.ready;
  const { snapshot } = workspace;
  const concepts: readonly Concept[] = [...snapshot.undisclosed.values()];
  return { snapshot, concepts, view: snapshot.viewFor(localCaller()) };
}

export type Shipped = Awaited<ReturnType<typeof openShipped>>;
