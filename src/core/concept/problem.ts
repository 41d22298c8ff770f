/** Zero-based, in UTF-16 units, as LSP counts. */
export interface Position {
  readonly line: number;
  readonly character: number;
}
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type ProblemSeverity = "error" | "warning" | "information";

/** A fault of a content file. Content never throws: the rest of the vocabulary goes on. */
export interface Problem {
  /** `noun.adjective`, never renumbered. */
  readonly code: string;
  readonly severity: ProblemSeverity;
  /** Path below the vocabulary folder, with `/`. */
  readonly file: string;
  readonly range: Range;
  /** A sentence that names the thing and the next step. */
  readonly message: string;
  /** Replacement for the text at `range`, where exactly one is safe. */
  readonly fix?: string;
}

export const fileStart: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
