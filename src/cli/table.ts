import { toVisible } from "../kernel/visible.ts";

/** Columns as wide as what is in them; the first row is the heading. Names may hold anything: see toVisible. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(toVisible));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function toFrancs(amount: number): string {
  return `${amount.toLocaleString("en-US").replaceAll(",", " ")} XOF`;
}
