import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lazy } from "../../base/lazy.ts";

/**
 * Where a rule's page is: the packaged file beside the program. A rule of another vocabulary has none there, and is
 * given a name that is no address.
 */
export function ruleDocs(moduleUrl: string): (rule: string) => string {
  const folder = new URL("./rules/", moduleUrl);
  const path = fileURLToPath(folder);
  const pages = lazy(() => new Set(existsSync(path) ? readdirSync(path) : []));
  return (rule) => (pages().has(`${rule}.md`) ? new URL(`${rule}.md`, folder).href : `rules/${rule}.md`);
}
