import { inSlices, oneAtATime } from "../../base/slices.ts";
import { readingSteps } from "../../core/queries/read-in-view.ts";
import { byteLength } from "../../core/render/markdown.ts";
import { readingMarkdown } from "../../core/render/reading-markdown.ts";
import * as shape from "./shapes.ts";
import { defineTool, ok, refused } from "./tool.ts";

/** Longest text that is read, in bytes of UTF-8. */
const maxTextBytes = 2 * 1024 * 1024;

/** From here on texts are read one at a time, so that memory stays that of one. */
const largeTextBytes = 128 * 1024;

const readingTurns = () => oneAtATime();

const place = { start: shape.whole, end: shape.whole, line: shape.whole, column: shape.whole };
const severity = shape.choice(["error", "warning", "information", "hint"]);

export const validateTerminology = defineTool({
  name: "iaip_validate_terminology",
  toolset: "terminology",
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
    strictness: shape.choice(["gentle", "standard", "strict"]),
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
            standing: shape.choice(["seen", "secondary", "house-style", "unverified"]),
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
  async answer({ context, view, args: { text, strictness }, parts: { docs } }) {
    const bytes = byteLength(text);
    if (maxTextBytes < bytes)
      return refused(
        `\`text\` has ${bytes} bytes; up to ${maxTextBytes} are read. Send the text in parts, or check the file with \`iaip-dsl check\`.`,
      );
    const read = () =>
      inSlices(readingSteps(view, { text, strictness, ...(docs ? { docs } : {}) }), { signal: context.signal });
    const { unused_suppressions: _, ...reading } = await (bytes < largeTextBytes
      ? read()
      : view.once(readingTurns)(read));
    return ok(readingMarkdown({ ...reading, unused_suppressions: [] }), reading, {
      type: "validation",
      concepts: reading.concepts,
    });
  },
});
