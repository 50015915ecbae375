/** Columns as wide as what is in them; the first row is the heading. */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
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
