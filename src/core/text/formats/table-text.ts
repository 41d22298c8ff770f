/** The texts of a table while it is read. */
export interface TableText {
  readonly header: string[];
  readonly rows: string[][];
}

export const newTable = (): TableText => ({ header: [], rows: [] });

/** Keeps a cell's text where the cells beside it can be read with it. Row -1 is the header; empty cells are "". */
export function keepCell(table: TableText, row: number, column: number, text: string): void {
  while (table.rows.length <= row) table.rows.push([]);
  const cells = row < 0 ? table.header : (table.rows[row] ?? []);
  while (cells.length < column) cells.push("");
  cells[column] = text;
}
