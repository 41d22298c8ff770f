import type { Strictness } from "../../core/concept/rule.ts";
import { readInView } from "../../core/queries/read-in-view.ts";
import { byteLength } from "../../core/render/markdown.ts";
import { readingMarkdown } from "../../core/render/reading-markdown.ts";
import type { ToolDefinition } from "../surface.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, refused } from "./tool.ts";

/** Longest text that is read, in bytes of UTF-8. */
const longestText = 2 * 1024 * 1024;

const place = { start: shape.whole, end: shape.whole, line: shape.whole, column: shape.whole };
const severity = { enum: ["error", "warning", "information", "hint"] };

/** `docs` gives the address of a rule's page. */
export const validateTerminology = (docs?: (rule: string) => string): ToolDefinition =>
  defineTool({
    name: "iaip_validate_terminology",
    title: "Read a text's terminology",
    description:
      "Reads a text (Markdown or plain) as a careful editor would: which concepts it uses, which wordings the vocabulary " +
      "advises against, with reason and source, and where such a wording is right. Use it on what you wrote before you hand " +
      "it over. It advises and never rewrites; it counts house-style matches and rates nobody. gentle only hints, strict " +
      "says everything. Next: iaip_concept_lookup on a concept it names.",
    input: {
      properties: {
        text: { type: "string", description: "Text to validate" },
        strictness: {
          type: "string",
          enum: ["gentle", "standard", "strict"],
          default: "standard",
          description:
            "gentle: suggestions only. standard: flag inconsistencies. strict: flag all non-framework language",
        },
      },
      required: ["text"],
    },
    output: {
      strictness: { enum: ["gentle", "standard", "strict"] },
      coherence: shape.object({
        score: shape.orNull(shape.number),
        basis: shape.object({ words: shape.whole, concepts: shape.whole, by_severity: { type: "object" } }),
      }),
      concepts: shape.listOf(
        shape.object({
          id: shape.text,
          name: shape.text,
          occurrences: shape.listOf(shape.object({ ...place, text: shape.text })),
          occurrences_total: shape.whole,
        }),
      ),
      findings: shape.listOf(
        shape.object(
          {
            rule: shape.text,
            severity,
            ...place,
            end_line: shape.whole,
            end_column: shape.whole,
            text: shape.text,
            message: shape.text,
            preferred: shape.listOf(shape.text),
            reason: shape.text,
            docs: shape.text,
            source: shape.object({
              key: shape.text,
              citation: shape.text,
              standing: { enum: ["seen", "secondary", "house-style", "unverified"] },
            }),
            concept: shape.text,
            fix: shape.text,
          },
          ["concept", "fix"],
        ),
      ),
      findings_total: shape.whole,
      exempt: shape.listOf(shape.object({ rule: shape.text, ...place, reason: shape.text })),
      exempt_total: shape.whole,
      truncated: shape.flag,
    },
    required: [
      "strictness",
      "coherence",
      "concepts",
      "findings",
      "findings_total",
      "exempt",
      "exempt_total",
      "truncated",
    ],
    answer({ view, values }) {
      const text = String(values.text);
      const bytes = byteLength(text);
      if (longestText < bytes)
        return refused(
          `\`text\` has ${bytes} bytes; up to ${longestText} are read. Send the text in parts, or check the file with \`iaip-dsl check\`.`,
        );
      const { unused_suppressions: _, ...reading } = readInView(view, {
        text,
        strictness: values.strictness as Strictness,
        ...(docs ? { docs } : {}),
      });
      return ok(readingMarkdown({ ...reading, unused_suppressions: [] }), reading);
    },
  });
