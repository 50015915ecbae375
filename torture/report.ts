import type { PartReport } from "./part.ts";

/** What became of one part. */
export interface PartResult extends PartReport {
  readonly part: string;
  readonly promises: string;
  readonly seconds: number;
  /** It was stopped before its end: by the time limit, or by somebody. */
  readonly isCutShort: boolean;
}

const findingsShownMax = 20;

/** A Markdown table, because it is read in a terminal and pasted into the documentation. */
export function toTable(results: readonly PartResult[]): string {
  const rows = results.map(({ part, seconds, counts, findings, isCutShort }) => [
    part,
    `${Math.round(seconds)} s${isCutShort ? " (cut short)" : ""}`,
    Object.entries(counts)
      .map(([what, count]) => `${spaced(count)} ${what}`)
      .join("; "),
    findings.length === 0 ? "none" : String(findings.length),
  ]);
  const columns = ["part", "time", "what was done", "findings"];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

export function toFindings(results: readonly PartResult[]): string[] {
  return results.flatMap(({ part, findings }) => [
    ...findings.slice(0, findingsShownMax).map((finding) => `${part}: ${finding}`),
    ...(findings.length > findingsShownMax
      ? [`${part}: and ${findings.length - findingsShownMax} more, in the report`]
      : []),
  ]);
}

/** 12345 → "12 345". */
function spaced(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}
