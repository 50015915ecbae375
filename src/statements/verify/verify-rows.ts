import { UnreadableFile } from "../../spreadsheets/errors.ts";
import type { ExportRow } from "../export/columns.ts";
import { checkOf, noRows, type RowCheck, readCheck, toCheckText } from "../export/row-check.ts";
import type { FoundRow, RowLayout } from "./row-layout.ts";

/** What is wrong with an export, first of all: with which row, counted from 1 below the header, or with the file. */
export interface Problem {
  readonly what:
    | "changed"
    | "removed"
    | "added"
    | "moved"
    | "cut"
    | "untrue"
    | "forked"
    | "truncated"
    | "unsigned"
    | "renamed";
  readonly row?: number;
  readonly message: string;
}

/**
 * Follows the checks of rows from the first to the last and tells `listener` of each row that is in its place.
 * Stops at the first that is not, and says what became of it.
 */
export async function verifyRows(
  rows: AsyncIterable<FoundRow>,
  layout: RowLayout,
  listener: (row: ExportRow, before: RowCheck) => Problem | undefined,
): Promise<Problem | undefined> {
  const found = rows[Symbol.asyncIterator]();
  const { columns } = layout;
  let beforeThat: RowCheck | undefined;
  let before = noRows(layout.format, columns);
  let isEnded = false;
  try {
    for (let next = await found.next(); next.done !== true; next = await found.next()) {
      const { row } = next.value;
      if (isEnded) return problem("added", before.ordinal + 1, "stands after the end");
      if (row === undefined || !follows(before, row, columns))
        return await explain(next.value, columns, before, beforeThat, found);
      const wrong = listener(row, before);
      if (wrong !== undefined) return wrong;
      [beforeThat, before] = [before, checkOf(before, row, columns)];
      isEnded = row.kind === layout.lastKind;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return problem("changed", before.ordinal + 1, `cannot be read any more. ${error.message}`);
  } finally {
    await found.return?.();
  }
  return isEnded
    ? undefined
    : problem("cut", before.ordinal + 1, "and what follows it was removed");
}

export function problem(
  what: Problem["what"],
  row: number,
  message: string,
  line?: number,
): Problem {
  const place = line === undefined ? "" : ` (line ${line} of the file)`;
  return { what, row, message: `Row ${row}${place} ${message}.` };
}

function follows(before: RowCheck, row: ExportRow, columns: readonly string[]): boolean {
  return row.check === toCheckText(checkOf(before, row, columns));
}

/** Why a row does not follow the rows before it, of which all are in their place. */
async function explain(
  { line, row }: FoundRow,
  columns: readonly string[],
  before: RowCheck,
  beforeThat: RowCheck | undefined,
  rest: AsyncIterator<FoundRow>,
): Promise<Problem> {
  const ordinal = before.ordinal + 1;
  const stated = readCheck(row?.check);
  const changed = problem("changed", ordinal, "was changed", line);
  // Whoever adds a row can give it the check that fits there; the next row then does not fit any more.
  if (row !== undefined && beforeThat !== undefined && follows(beforeThat, row, columns))
    return problem("added", ordinal - 1, "was added");
  if (row !== undefined && stated?.digest === checkOf(before, row, columns).digest) return changed;
  if (stated === undefined || stated.ordinal === ordinal) {
    const next = await rest.next();
    const isAdded =
      next.done !== true && next.value.row && follows(before, next.value.row, columns);
    return isAdded === true ? problem("added", ordinal, "was added", line) : changed;
  }
  if (stated.ordinal < ordinal) return problem("added", ordinal, "was added", line);
  if (await isAmong(rest, ordinal))
    return problem("moved", ordinal, "stands in another place", line);
  const last = stated.ordinal - 1;
  return problem(
    "removed",
    ordinal,
    last === ordinal ? "was removed" : `to row ${last} were removed`,
  );
}

async function isAmong(rows: AsyncIterator<FoundRow>, ordinal: number): Promise<boolean> {
  for (let next = await rows.next(); next.done !== true; next = await rows.next())
    if (readCheck(next.value.row?.check)?.ordinal === ordinal) return true;
  return false;
}
