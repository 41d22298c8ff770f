import { inSlices } from "../../base/slices.ts";
import { readingSteps } from "../../core/queries/read-in-view.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { Finding, UnusedSuppression } from "../../core/terms/reading.ts";

import type { Format } from "../../core/text/formats/format.ts";
import { readDocument } from "../../core/text/formats/read-document.ts";
import type { Settings } from "../../settings/schema.ts";
import type { ReadProse } from "../edits/checked-edit.ts";

export type { Finding } from "../../core/terms/reading.ts";

export interface Findings {
  readonly findings: readonly Finding[];
  readonly unused: readonly UnusedSuppression[];
  readonly total: number;
}

/** How a document is read. */
export interface Reading {
  readonly format: Format;
  readonly docs?: (rule: string) => string;
}

/** What the terminology reader finds in a text, at most `max`: the same function and text as the tool's and the shell's. */
export async function readFindings(
  view: CallerView,
  { format, docs }: Reading,
  text: string,
  settings: Settings,
  max: number,
): Promise<Findings> {
  const steps = readingSteps(view, {
    text,
    format,
    strictness: settings.strictness,
    overrides: settings.rules,
    accept: new Set(settings.accept),
    caps: { findings: max, occurrences: 0, exempt: 0 },
    ...(docs === undefined ? {} : { docs }),
  });
  // An editor asks for hovers and completions while a long text is read.
  const reading = await inSlices(steps);
  const { findings, findings_total: total, unused_suppressions: unused } = reading;
  return { findings, unused, total: total + unused.length };
}

/** Reads texts as one document is read, to see what an edit of it would do. */
export function proseReader(
  view: CallerView,
  reading: Reading,
  settings: Settings,
): (text: string) => Promise<ReadProse> {
  return async (text) => {
    const { findings, unused } = await readFindings(view, reading, text, settings, Number.MAX_SAFE_INTEGER);
    return { findings, unused: unused.length, document: await inSlices(readDocument(text, reading.format)) };
  };
}
