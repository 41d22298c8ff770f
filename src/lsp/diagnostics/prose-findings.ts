import { inSlices } from "../../base/slices.ts";
import { readingSteps } from "../../core/queries/read-in-view.ts";
import type { CallerView } from "../../core/snapshot/view.ts";
import type { Finding, UnusedSuppression } from "../../core/terms/reading.ts";

import type { Format } from "../../core/text/formats/format.ts";
import type { Settings } from "../../settings/schema.ts";
import type { OpenDocument } from "../documents/documents.ts";

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

/** What the terminology reader says of a document: the same function and words as the tool's and the shell's. */
export async function readFindings(
  view: CallerView,
  { format, docs }: Reading,
  document: OpenDocument,
  settings: Settings,
): Promise<Findings> {
  const steps = readingSteps(view, {
    text: document.text,
    format,
    strictness: settings.strictness,
    overrides: settings.rules,
    accept: new Set(settings.accept),
    caps: { findings: settings.diagnostics.max, occurrences: 0, exempt: 0 },
    ...(docs === undefined ? {} : { docs }),
  });
  // An editor asks for hovers and completions while a long text is read.
  const reading = await inSlices(steps);
  const { findings, findings_total: total, unused_suppressions: unused } = reading;
  return { findings, unused, total: total + unused.length };
}
