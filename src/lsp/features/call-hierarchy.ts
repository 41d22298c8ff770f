import {
  type CallHierarchyIncomingCall,
  type CallHierarchyIncomingCallsParams,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type CallHierarchyOutgoingCallsParams,
  type CallHierarchyPrepareParams,
  SymbolKind,
} from "vscode-languageserver";
import type { Edge } from "../../core/snapshot/relation-graph.ts";
import type { RequestSnapshot, Session } from "../documents/session.ts";
import { conceptPlace, conceptsOf, targetAt } from "../documents/target.ts";

/**
 * Relations as a hierarchy, for agents whose editor tools know calls: outgoing is what the concept's own file states,
 * incoming is what other files state of it. Each item has its relation in `detail`.
 */
export async function prepareCallHierarchy(
  session: Session,
  params: CallHierarchyPrepareParams,
): Promise<CallHierarchyItem[] | null> {
  const current = await session.current();
  const document = await session.document(params.textDocument.uri);
  const target = document && targetAt(session, current, document, params.position);
  if (target === undefined) return null;
  const items = await Promise.all(conceptsOf(current, target).map((id) => toItem(session, current, id, undefined)));
  return items.filter((it) => it !== undefined);
}

export async function incomingCalls(
  session: Session,
  { item }: CallHierarchyIncomingCallsParams,
): Promise<CallHierarchyIncomingCall[] | null> {
  const current = await session.current();
  const edges = edgesOf(current, item).filter((it) => it.symmetric || it.stored === "inverse");
  const items = await Promise.all(edges.map((edge) => toItem(session, current, edge.to, edge)));
  return items.flatMap((from) => (from === undefined ? [] : [{ from, fromRanges: [from.selectionRange] }]));
}

export async function outgoingCalls(
  session: Session,
  { item }: CallHierarchyOutgoingCallsParams,
): Promise<CallHierarchyOutgoingCall[] | null> {
  const current = await session.current();
  const edges = edgesOf(current, item).filter((it) => it.symmetric || it.stored === "forward");
  const items = await Promise.all(edges.map((edge) => toItem(session, current, edge.to, edge)));
  return items.flatMap((to) => (to === undefined ? [] : [{ to, fromRanges: [item.selectionRange] }]));
}

function edgesOf(current: RequestSnapshot, item: CallHierarchyItem): readonly Edge[] {
  const id: unknown = item.data;
  return typeof id === "string" && current.view.concepts.has(id) ? current.view.graph.edgesOf(id) : [];
}

async function toItem(
  session: Session,
  current: RequestSnapshot,
  id: string,
  edge: Edge | undefined,
): Promise<CallHierarchyItem | undefined> {
  const place = await conceptPlace(session, current, id);
  const disclosed = current.view.concepts.get(id);
  if (place === undefined || disclosed === undefined) return undefined;
  const relation =
    edge === undefined ? disclosed.concept.category : `${edge.type}${edge.byAnalogy ? " (by analogy)" : ""}`;
  const { uri, range } = place;
  return {
    name: disclosed.concept.name,
    kind: SymbolKind.Class,
    detail: relation,
    uri,
    range,
    selectionRange: range,
    data: id,
  };
}
