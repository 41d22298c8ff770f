import { isRecord } from "../../base/json-rpc.ts";
import type { Catalog } from "./catalog.ts";
import type { Answer } from "./link.ts";

const remembered = 10_000;

/** Finds the upstream of a resource address: by list, by what an upstream named in an answer, by template. */
export class ResourceRoutes {
  readonly #seen = new Map<string, string>();

  /** Remembers the addresses that a tool's answer points to: nothing lists them. */
  learn(upstream: string, answer: Answer): void {
    const content = answer.result?.content;
    if (!Array.isArray(content)) return;
    for (const block of content) {
      if (!isRecord(block)) continue;
      const resource = isRecord(block.resource) ? block.resource : block;
      if (block.type !== "resource_link" && block.type !== "resource") continue;
      if (typeof resource.uri === "string") this.#remember(resource.uri, upstream);
    }
  }

  find(uri: string, catalog: Catalog): string | undefined {
    const listed = catalog.resourceOwners.get(uri) ?? this.#seen.get(uri);
    if (listed !== undefined) return listed;
    for (const [template, upstream] of catalog.templateOwners) if (matches(template, uri)) return upstream;
    return undefined;
  }

  #remember(uri: string, upstream: string): void {
    this.#seen.delete(uri);
    this.#seen.set(uri, upstream);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > remembered && !oldest.done) this.#seen.delete(oldest.value);
  }
}

/** Whether an address can come of a template: linear, and no more exact than routing needs. */
function matches(template: string, uri: string): boolean {
  const fixed = template.split(/\{[^}]*\}/);
  const [first = "", ...rest] = fixed;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop();
  for (const part of rest) {
    const found = uri.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return last === undefined ? at === uri.length : uri.length - last.length >= at && uri.endsWith(last);
}
