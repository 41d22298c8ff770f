import { compare } from "../snapshot/relation-graph.ts";

export interface Link {
  readonly from: string;
  readonly type: string;
  readonly to: string;
}

/** Connected components, whatever the links' direction: largest first, then by the first id; ids sorted. */
export function componentsOf(ids: readonly string[], links: readonly Link[]): readonly (readonly string[])[] {
  const near = new Map<string, string[]>(ids.map((it) => [it, []]));
  for (const { from, to } of links) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const seen = new Set<string>();
  const components: string[][] = [];
  for (const id of ids) {
    if (seen.has(id)) continue;
    const component = [id];
    seen.add(id);
    for (const at of component) {
      for (const next of near.get(at) ?? []) {
        if (seen.has(next) || !near.has(next)) continue;
        seen.add(next);
        component.push(next);
      }
    }
    components.push(component.sort(compare));
  }
  return components.sort((a, b) => b.length - a.length || compare(a[0]!, b[0]!));
}

/** For each type, the strongly connected groups of two or more: one cycle is told for each. Linear, without recursion. */
export function cyclesOf(
  links: readonly Link[],
): readonly { readonly type: string; readonly ids: readonly string[] }[] {
  const types = [...new Set(links.map((it) => it.type))].sort(compare);
  return types.flatMap((type) => {
    let rest = links.filter((it) => it.type === type);
    // Peel off what nothing points to, and what points to nothing, until only cycles and what joins them are left.
    for (let before = -1; before !== rest.length; ) {
      before = rest.length;
      const sources = new Set(rest.map((it) => it.from));
      const targets = new Set(rest.map((it) => it.to));
      rest = rest.filter((it) => targets.has(it.from) && sources.has(it.to));
    }
    return componentsOf([...new Set(rest.flatMap((it) => [it.from, it.to]))], rest).map((ids) => ({
      type,
      ids: walk(ids, rest),
    }));
  });
}

/** The ids of one cycle, in its order. */
function walk(ids: readonly string[], links: readonly Link[]): readonly string[] {
  const path: string[] = [];
  let at = ids[0]!;
  while (!path.includes(at)) {
    path.push(at);
    at = links.filter((it) => it.from === at).sort((a, b) => compare(a.to, b.to))[0]!.to;
  }
  return path.slice(path.indexOf(at));
}
