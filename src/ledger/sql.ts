/** What both stores can bind and give back. */
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** One statement with `?` for its parameters. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly SqlValue[];
  /** Runs the statement once for each; all rows come back in one list. */
  readonly each?: readonly (readonly SqlValue[])[];
}

export function text(row: SqlRow, column: string): string {
  return String(row[column] ?? "");
}

export function textOrNull(row: SqlRow, column: string): string | null {
  const value = row[column];
  return value === null || value === undefined ? null : String(value);
}

/** PostgreSQL gives 64-bit counts as text. */
export function count(row: SqlRow | undefined, column = "n"): number {
  return Number(row?.[column] ?? 0);
}
