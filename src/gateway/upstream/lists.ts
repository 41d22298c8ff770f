import { isRecord } from "../../base/json-rpc.ts";
import { UpstreamFault } from "./fault.ts";
import type { Link, Timing } from "./link.ts";
import type { Params } from "./meta.ts";

export const listKinds = ["tools", "resources", "templates", "prompts"] as const;
export type ListKind = (typeof listKinds)[number];
export type Items = readonly Params[];
export type Lists = Readonly<Record<ListKind, Items>>;

export const noLists: Lists = { tools: [], resources: [], templates: [], prompts: [] };

const listMethods: Readonly<
  Record<ListKind, { readonly method: string; readonly field: string; readonly capability: string }>
> = {
  tools: { method: "tools/list", field: "tools", capability: "tools" },
  resources: { method: "resources/list", field: "resources", capability: "resources" },
  templates: { method: "resources/templates/list", field: "resourceTemplates", capability: "resources" },
  prompts: { method: "prompts/list", field: "prompts", capability: "prompts" },
};

const maxPages = 1_000;

/** Which kinds a server has, by its answer to `initialize`. */
export function kindsOf(server: Params): readonly ListKind[] {
  const capabilities = isRecord(server.capabilities) ? server.capabilities : {};
  return listKinds.filter((kind) => capabilities[listMethods[kind].capability] !== undefined);
}

/** Whether the server promises to say when a list of this kind changes. */
export function announces(server: Params, kind: ListKind): boolean {
  const capabilities = isRecord(server.capabilities) ? server.capabilities : {};
  const capability = capabilities[listMethods[kind].capability];
  return isRecord(capability) && capability.listChanged === true;
}

/** Every item on every page. Throws `UpstreamFault`; a server that lacks the method has an empty list. */
export async function fetchList(name: string, link: Link, kind: ListKind, timing: Timing): Promise<Items> {
  const { method, field } = listMethods[kind];
  const items: Params[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { result, error } = await link.request(method, cursor === undefined ? {} : { cursor }, timing).answer;
    if (error?.code === -32601) return [];
    const list = result?.[field];
    if (!Array.isArray(list)) {
      throw new UpstreamFault(
        "unavailable",
        name,
        `upstream "${name}" gave no list for ${method}: ${error?.message ?? "the answer has another shape"}`,
      );
    }
    items.push(...list.filter(isRecord));
    const next = result?.nextCursor;
    if (typeof next !== "string") return items;
    if (seen.has(next))
      throw new UpstreamFault(
        "unavailable",
        name,
        `upstream "${name}" gave the page cursor ${JSON.stringify(next)} twice for ${method}`,
      );
    seen.add(next);
    cursor = next;
  }
  throw new UpstreamFault("unavailable", name, `upstream "${name}" has more than ${maxPages} pages for ${method}`);
}
