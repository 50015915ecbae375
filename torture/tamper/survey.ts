import type { Database } from "../../src/database/database.ts";
import type { Column, Table } from "./catalog.ts";
import { type Change, changesOf, rowChangesOf } from "./changes.ts";
import type { Coverage } from "./coverage.ts";
import type { Judge } from "./judge.ts";

/** What became of all that was done to one column, or to whole rows of a table. */
export interface Finding {
  /** `table.column`, or `table (delete)`. */
  readonly place: string;
  /** By the name of the check, how many changes it noticed. */
  readonly noticed: Map<string, number>;
  /** Constraints that refused one. */
  readonly refused: Set<string>;
  /** What nobody noticed, as it was done. */
  readonly unnoticed: string[];
}

export interface SurveyOptions {
  readonly judge: Judge;
  readonly database: Database;
  /** Rows of each table, each in another state. */
  readonly rowsMax: number;
  readonly tables: readonly Table[];
  /** What is said to notice a change at a place. */
  readonly coverage: Coverage;
  /** False: this column is left out, this time. */
  readonly isChosen: (place: string) => boolean;
  readonly progress: (text: string) => void;
  readonly deadline: AbortSignal;
}

const atOnce = 2;

/** Changes one value after the other, and looks what notices it. Tables side by side: nobody waits for a row of another's. */
export async function survey(options: SurveyOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  const waiting = [...options.tables];
  const work = async () => {
    for (let table = waiting.shift(); table !== undefined; table = waiting.shift())
      findings.push(...(await surveyTable(options, table)));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings.toSorted((one, other) => (one.place < other.place ? -1 : 1));
}

async function surveyTable(options: SurveyOptions, table: Table): Promise<Finding[]> {
  const { database, rowsMax, isChosen, deadline, progress } = options;
  const rows = await pickRows(database, table, rowsMax);
  const findings: Finding[] = [];
  const places = [
    ...table.columns.map((column) => ({
      place: `${table.name}.${column.name}`,
      changes: changesOf(table, column),
    })),
    ...rowChangesOf(table).map((change) => ({
      place: `${table.name} (${change.what})`,
      changes: [change],
    })),
  ];
  for (const { place, changes } of places) {
    if (deadline.aborted || !isChosen(place)) continue;
    progress(place);
    findings.push(await surveyPlace(options, table.name, place, changes, rows));
  }
  return findings;
}

async function surveyPlace(
  { judge, coverage, deadline }: SurveyOptions,
  table: string,
  place: string,
  changes: readonly Change[],
  rows: readonly Row[],
): Promise<Finding> {
  const finding: Finding = { place, noticed: new Map(), refused: new Set(), unnoticed: [] };
  for (const { row, part } of rows)
    for (const { text } of changes) {
      if (deadline.aborted) return finding;
      const done = text.replaceAll(":row", `'${row}'`).replaceAll(":part", `${part}::oid`);
      const verdict = await judge.judge(table, [done], coverage[place]);
      if (verdict.kind === "noticed")
        finding.noticed.set(verdict.by, (finding.noticed.get(verdict.by) ?? 0) + 1);
      if (verdict.kind === "refused") finding.refused.add(verdict.by);
      if (verdict.kind !== "unnoticed") continue;
      // Where one change goes unnoticed the others say nothing more.
      finding.unnoticed.push(done);
      return finding;
    }
  return finding;
}

interface Row {
  readonly row: string;
  readonly part: number;
}

/** One row for each combination of states and of what is there at all, as far as so many go. */
async function pickRows(
  database: Database,
  { name, columns }: Table,
  rowsMax: number,
): Promise<Row[]> {
  const state = columns.map(stateOf).join(" || ");
  const rows = await database.query<Row>({
    text: `select distinct on (${state}) ctid::text as row, tableoid::bigint as part from ${name}
      order by ${state}, ctid`,
    values: [],
  });
  // Evenly from all there are, and the same in each run: what is declared is held against the same rows.
  const step = Math.max(1, rows.length / rowsMax);
  const picked: Row[] = [];
  for (let at = 0; at < rows.length && picked.length < rowsMax; at += step) {
    const row = rows[Math.floor(at)];
    if (row !== undefined) picked.push(row);
  }
  return picked;
}

function stateOf({ name, type, labels }: Column): string {
  const isState =
    labels.length > 0 || type === "bool" || /^(action|purpose|status|topic)$/.test(name);
  return isState ? `coalesce("${name}"::text, '-')` : `("${name}" is null)::text`;
}
