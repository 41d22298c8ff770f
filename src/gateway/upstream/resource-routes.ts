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
    return byPrefix(uri, catalog);
  }

  #remember(uri: string, upstream: string): void {
    this.#seen.delete(uri);
    this.#seen.set(uri, upstream);
    const oldest = this.#seen.keys().next();
    if (this.#seen.size > remembered && !oldest.done) this.#seen.delete(oldest.value);
  }
}

/**
 * The only upstream with addresses of the same scheme and authority, else of the same scheme: what it does not list may
 * still be there. Schemes that belong to nobody say nothing by themselves.
 */
function byPrefix(uri: string, { resourceOwners, templateOwners }: Catalog): string | undefined {
  const ownersOf = (prefixOf: (address: string) => string | undefined) => {
    const prefix = prefixOf(uri);
    const listed = [...resourceOwners, ...templateOwners];
    const same = listed.flatMap(([address, upstream]) =>
      prefix !== undefined && prefixOf(address) === prefix ? [upstream] : [],
    );
    return [...new Set(same)];
  };
  const owners = ownersOf((it) => /^[a-z][a-z0-9+.-]*:\/\/[^/?#{]*/i.exec(it)?.[0].toLowerCase());
  const found = owners.length > 0 || /^(?:https?|file):/i.test(uri) ? owners : ownersOf(schemeOf);
  return found.length === 1 ? found[0] : undefined;
}

function schemeOf(address: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:/i.exec(address)?.[0].toLowerCase();
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
