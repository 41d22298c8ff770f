import type { Log } from "../base/log.ts";
import type { CallerView } from "../core/snapshot/view.ts";
import { buildConceptGraph, type ConceptGraph } from "./concept-graph.ts";
import { drive } from "./query/work.ts";
import { namespaceOf } from "./type-names.ts";

/** A model that composes answers: OpenAI-compatible, or the client's own. */
export type Model = (
  request: { readonly system: string; readonly prompt: string; readonly maxTokens: number },
  signal: AbortSignal,
) => Promise<string>;

/** One question that was answered, for whoever keeps a list of them. */
export interface SolvedTask {
  readonly question: string;
  readonly answer: string;
  readonly references: readonly unknown[];
  readonly costMs: number;
  readonly projectId: string;
  readonly namespace: string;
}

export interface KagOptions {
  readonly log: Log;
  /** From the vocabulary's name when absent. */
  readonly namespace?: string;
  /** The one project this host is bound to; the vocabulary's name when absent. */
  readonly projectId?: string;
  /** Composes what `kag_solve` answers; without one it is extractive. */
  readonly model?: Model;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock?: () => number;
  /** Milliseconds after which a query is given up. */
  readonly reasonMs?: number;
  /** Told after each answer. */
  readonly onSolved?: (task: SolvedTask) => void;
}

/** What the four tools share for as long as a host runs. */
export interface KagHost extends Required<Pick<KagOptions, "log" | "clock" | "reasonMs">> {
  readonly model: Model | undefined;
  readonly onSolved: (task: SolvedTask) => void;
  namespace(view: Pick<CallerView, "vocabulary">): string;
  projectId(view: Pick<CallerView, "vocabulary">): string;
  /** The graph of a view, built once for each, in slices between which others are answered. */
  graph(view: CallerView): Promise<ConceptGraph>;
}

export function makeKagHost(options: KagOptions): KagHost {
  const graphs = new WeakMap<CallerView, Promise<ConceptGraph>>();
  const clock = options.clock ?? (() => performance.now());
  const build = async (view: CallerView): Promise<ConceptGraph> => {
    const graph = await drive(buildConceptGraph(view, namespace(view)), {
      clock,
      milliseconds: Number.POSITIVE_INFINITY,
    });
    if (graph === undefined) throw new Error("time without end ended");
    return graph;
  };
  const namespace = (view: Pick<CallerView, "vocabulary">): string => options.namespace ?? namespaceOf(view.vocabulary);
  return {
    log: options.log,
    clock,
    reasonMs: options.reasonMs ?? 10_000,
    model: options.model,
    onSolved: options.onSolved ?? (() => {}),
    namespace,
    projectId: (view) => options.projectId ?? view.vocabulary.name,
    graph(view) {
      const graph = graphs.get(view) ?? build(view);
      graphs.set(view, graph);
      return graph;
    },
  };
}
