/** A query that cannot be answered as it stands. Thrown inside the language, returned as a value at its edge. */
export class DslProblem extends Error {
  override readonly name = "DslProblem";
  /** UTF-16 offset into the query. */
  readonly at: number;
  readonly hint: string | undefined;

  constructor(at: number, message: string, hint?: string) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}

/** One line for the reader: where, what, and the next step. Lines and columns start at 1. */
export function printDslProblem(query: string, problem: DslProblem): string {
  const before = query.slice(0, problem.at).split("\n");
  const place = `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: `;
  return `${place}${problem.message}${problem.hint ? ` Hint: ${problem.hint}` : ""}`;
}
