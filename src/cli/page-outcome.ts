import type { Page } from "../kernel/page.ts";
import type { Clock } from "./clock.ts";
import type { Outcome } from "./context.ts";
import { quoted } from "./quoted.ts";
import { toTable } from "./table.ts";

export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** A page of a list: the rows and where the next one begins, or a table and how to ask for it. */
export function toPageOutcome<Row>(
  { next }: Pick<Page<unknown>, "next">,
  rows: readonly Row[],
  table: { readonly headings: readonly string[]; readonly cells: (row: Row) => readonly string[] },
  clock: Clock,
): Outcome {
  return {
    value: { count: rows.length, next, data: rows },
    text: [
      toTable([table.headings, ...rows.map(table.cells)]),
      "",
      clock.note,
      ...(next === null ? [] : [`What is older: add --cursor ${quoted(next)}`]),
    ].join("\n"),
  };
}
