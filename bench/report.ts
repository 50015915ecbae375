/** One line of the table. Only a line with a target can be missed. */
export interface Finding {
  readonly id: string;
  readonly what: string;
  readonly measured: string;
  readonly against: string;
  readonly ratio?: number;
  readonly target?: number;
  readonly numbers: Readonly<Record<string, unknown>>;
}

export function isMissed({ ratio, target }: Finding): boolean {
  return target !== undefined && !(ratio !== undefined && ratio >= target);
}

const columns = ["transfers", "measured", "against", "ratio", "target", "verdict"];

/** A Markdown table, because it is read in a terminal and pasted into the documentation. */
export function toTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    finding.what,
    finding.measured,
    finding.against,
    finding.ratio === undefined ? "" : `${finding.ratio.toFixed(2)} ×`,
    finding.target === undefined ? "" : `≥ ${finding.target} ×`,
    finding.target === undefined ? "" : isMissed(finding) ? "MISSED" : "met",
  ]);
  return toMarkdown(columns, rows);
}

/** Columns are as wide as their widest cell. */
export function toMarkdown(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(titles), rule, ...rows.map(line)].join("\n");
}

/** 12345.6 → "12 346". */
export function whole(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

/** Enough digits to compare runs, few enough to read. */
export function rounded(value: number, places = 3): number {
  return Number(value.toFixed(places));
}
