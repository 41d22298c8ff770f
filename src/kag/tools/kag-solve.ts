import type { RequestContext } from "../../mcp/request-context.ts";
import type { ToolDefinition } from "../../mcp/surface.ts";
import { clipped } from "../clipped.ts";
import type { KagHost, Model } from "../kag-host.ts";
import { answerAboutGroups } from "../solve/answer-about-groups.ts";
import { referenceOf } from "../solve/citations.ts";
import { composeAnswer } from "../solve/compose-answer.ts";
import { extractAnswer } from "../solve/extract-answer.ts";
import { findConcepts } from "../solve/find-concepts.ts";
import { subgraphOf } from "../solve/subgraph.ts";
import { defineKagTool, projectIdSchema, textArgument, wrongProject } from "./kag-tool.ts";

const pipelines = ["think_pipeline", "default_pipeline", "index_pipeline"] as const;
/** Hosts in the way cut longer answers. */
const maxBytes = 8_000;
const maxQuestionLength = 4_000;

export function kagSolve(host: KagHost): ToolDefinition {
  return defineKagTool({
    name: "kag_solve",
    title: "Answer a question from the concept graph",
    description:
      "Answers one question from the bound vocabulary: the concepts it is about in their own words, how they relate when " +
      "several are asked, the passages it cites and the graph around them. Without a configured model the answer is " +
      "extractive and deterministic; all pipelines give the same answer. When nothing fits it says so. Stateless: put what " +
      "was said before into the question. Contract v1.",
    properties: {
      question: { type: "string", description: "The question, complete on its own." },
      project_id: projectIdSchema,
      use_pipeline: {
        type: "string",
        default: "think_pipeline",
        description: "think_pipeline, default_pipeline or index_pipeline.",
      },
    },
    required: ["question"],
    async answer({ context, view, given }) {
      const wrong = wrongProject(host, view, given);
      if (wrong) return wrong;
      const pipeline = textArgument(given.use_pipeline) ?? "";
      if (pipeline !== "" && !pipelines.some((it) => it === pipeline)) {
        return { error: `unknown use_pipeline: ${clipped(pipeline, 100)}; it takes ${pipelines.join(", ")}` };
      }
      const question = textArgument(given.question)?.trim() ?? "";
      if (question === "") return "`question` is required and takes a question in words.";
      const started = host.clock();
      const text = question.slice(0, maxQuestionLength);
      const extracted = answerAboutGroups(view, text) ?? extractAnswer(view, findConcepts(view, text));
      const concepts = extracted.concepts.flatMap((id) => view.concepts.get(id) ?? []);
      const model = modelOf(host, context);
      const composed =
        model &&
        (await composeAnswer({ question, extracted, concepts }, { model, signal: context.signal, log: host.log }));
      const answer = composed ?? extracted.answer;
      const reference = referenceOf(
        answer,
        extracted.documents,
        maxBytes - 300 - Buffer.byteLength(JSON.stringify(answer)),
      );
      const graph = await host.graph(view);
      const left = maxBytes - 200 - Buffer.byteLength(JSON.stringify([answer, reference]));
      const subgraph = subgraphOf(view, graph, extracted, left);
      context.progress?.(1, 1);
      const costMs = Math.round(host.clock() - started);
      const { namespace } = graph;
      host.onSolved({ question, answer, references: reference, costMs, projectId: host.projectId(view), namespace });
      return { answer, reference, subgraph, cost_ms: costMs, namespace };
    },
  });
}

/** The configured model, else the client's own where it offers one. */
function modelOf(host: KagHost, { sample }: RequestContext): Model | undefined {
  return host.model ?? (sample && ((request) => sample(request)));
}
