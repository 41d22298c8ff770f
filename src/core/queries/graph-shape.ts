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

/** For each type, the groups that hold a cycle, each told by one of its cycles. Linear, without recursion. */
export function cyclesOf(
  links: readonly Link[],
): readonly { readonly type: string; readonly ids: readonly string[] }[] {
  const types = [...new Set(links.map((it) => it.type))].sort(compare);
  return types.flatMap((type) => {
    const rest = withoutEnds(links.filter((it) => it.type === type));
    const next = new Map<string, string>();
    for (const { from, to } of rest) {
      const known = next.get(from);
      if (known === undefined || compare(to, known) < 0) next.set(from, to);
    }
    return componentsOf([...next.keys()], rest).map(([first]) => ({ type, ids: walk(first!, next) }));
  });
}

/** Peels off what nothing points to, and what points to nothing, until only cycles and what joins them are left. */
function withoutEnds(links: readonly Link[]): readonly Link[] {
  const into = grouped(links, (it) => it.to);
  const outOf = grouped(links, (it) => it.from);
  const left = { in: sizes(into), out: sizes(outOf) };
  const isEnd = (id: string) => !left.in.get(id) || !left.out.get(id);
  const ends = [...new Set([...into.keys(), ...outOf.keys()])].filter(isEnd);
  const gone = new Set(ends);
  for (const id of ends) {
    for (const { to } of outOf.get(id) ?? []) left.in.set(to, left.in.get(to)! - 1);
    for (const { from } of into.get(id) ?? []) left.out.set(from, left.out.get(from)! - 1);
    const near = [...(outOf.get(id) ?? []).map((it) => it.to), ...(into.get(id) ?? []).map((it) => it.from)];
    for (const other of new Set(near)) {
      if (gone.has(other) || !isEnd(other)) continue;
      gone.add(other);
      ends.push(other);
    }
  }
  return links.filter((it) => !gone.has(it.from) && !gone.has(it.to));
}

function grouped(links: readonly Link[], by: (link: Link) => string): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const group = groups.get(by(link));
    if (group) group.push(link);
    else groups.set(by(link), [link]);
  }
  return groups;
}

function sizes(groups: ReadonlyMap<string, readonly Link[]>): Map<string, number> {
  return new Map([...groups].map(([id, links]) => [id, links.length]));
}

/** The ids of the cycle that a walk from `start` runs into, in its order. */
function walk(start: string, next: ReadonlyMap<string, string>): readonly string[] {
  const steps = new Map<string, number>();
  let at = start;
  while (!steps.has(at)) {
    steps.set(at, steps.size);
    at = next.get(at)!;
  }
  return [...steps.keys()].slice(steps.get(at));
}
