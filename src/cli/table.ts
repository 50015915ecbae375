import { toVisible } from "../kernel/visible.ts";

const gap = 2;

/**
 * Columns as wide as what is in them; the first row is the heading. Where that is wider than the terminal, each row
 * becomes a block with a line for each of its columns: ids and amounts are there to be copied, so nothing is cut. Names
 * may hold anything: see toVisible.
 */
export function toTable(
  rows: readonly (readonly string[])[],
  terminalWidth: number | undefined = process.stdout.columns,
): string {
  const cells = rows.map((row) => row.map(toVisible));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  const width = widths.reduce((sum, one) => sum + one + gap, -gap);
  const [headings = [], ...body] = cells;
  if (terminalWidth !== undefined && width > terminalWidth && body.length > 0)
    return body.map((row) => toBlock(headings, row)).join("\n\n");
  return cells.map((row) => toLine(row, widths)).join("\n");
}

/** Names and values below one another. */
export function toPairs(pairs: readonly (readonly [string, string])[]): string {
  return pairLines(pairs.map(([name, value]) => [toVisible(name), toVisible(value)])).join("\n");
}

function toBlock(headings: readonly string[], row: readonly string[]): string {
  const pairs = row.map((cell, column): [string, string] => [headings[column] ?? "", cell]);
  return pairLines(pairs.filter(([, cell]) => cell !== "")).join("\n");
}

function pairLines(pairs: readonly (readonly [string, string])[]): string[] {
  const width = pairs.reduce((widest, [name]) => Math.max(widest, name.length), 0);
  return pairs.map((pair) => `  ${toLine(pair, [width])}`);
}

function toLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(" ".repeat(gap))
    .trimEnd();
}

export function toFrancs(amount: number): string {
  return `${amount.toLocaleString("en-US").replaceAll(",", " ")} XOF`;
}
