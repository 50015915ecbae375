import { columnNames, type ExportRow } from "../export/columns.ts";
import { statementFormat, wordsOfKinds } from "../export/export-rows.ts";
import type { OpeningFacts } from "../export/facts.ts";
import { headerFor } from "../export/present.ts";
import { NotAnExport } from "./errors.ts";
import { firstColumns, firstFormat, firstKinds } from "./first-format.ts";
import type { OpenExport } from "./open-export.ts";

/** How the rows of a file are written. The file says it itself, so that today's words and columns do not matter. */
export interface RowLayout {
  readonly format: string;
  readonly header: readonly string[];
  readonly columns: readonly string[];
  /** Each kind of row by its name and by the words for it. */
  readonly kinds: ReadonlyMap<string, string>;
  /** The kind of the last row. */
  readonly lastKind: string;
}

/** A row as it stands in a file; without `row` what stands there is no row of an export. */
export interface FoundRow {
  readonly line: number;
  readonly row: ExportRow | undefined;
}

const todaysHeaders = (["program", "en", "fr"] as const).map(headerFor);
/** The opening is the first row; in a file that was changed it may stand a little further down. */
const rowsLookedAt = 10;

/** Throws NotAnExport when the file has no such table. */
export async function findLayout(file: OpenExport): Promise<RowLayout> {
  let header: readonly string[] | undefined;
  let rows = 0;
  for await (const { cells } of file.table()) {
    const facts = header && factsIn(cells);
    if (header !== undefined && facts !== undefined) return { header, ...facts };
    header ??= cells;
    rows += 1;
    if (rows > rowsLookedAt) break;
  }
  // Without its opening it is a file that was changed: in which row, the checks tell.
  if (header === undefined || !todaysHeaders.some((one) => isSame(one, header)))
    throw new NotAnExport(file.source.name);
  return { header, ...laidOut(columnNames, wordsOfKinds) };
}

/** The rows below the header; in a workbook with several sheets each has one. */
export async function* foundRows(
  file: OpenExport,
  { header, columns, kinds }: RowLayout,
): AsyncGenerator<FoundRow> {
  for await (const { line, cells } of file.table())
    if (line !== 1 || !isSame(header, cells)) yield { line, row: rowFrom(columns, kinds, cells) };
}

/** The row that cells were made from; undefined when no row makes them. */
function rowFrom(
  columns: RowLayout["columns"],
  kinds: RowLayout["kinds"],
  cells: readonly string[],
): ExportRow | undefined {
  if (cells.length > columns.length) return undefined;
  const row = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ""]));
  const { kind: word = "", date = "" } = row as ExportRow;
  const kind = kinds.get(word);
  if (kind === undefined) return undefined;
  // A sheet's midnight is read as a day.
  return { ...row, kind, date: /^\d{4}-\d\d-\d\d$/.test(date) ? `${date} 00:00:00` : date };
}

/** What the opening says of the rows. */
function factsIn(cells: readonly string[]): Omit<RowLayout, "header"> | undefined {
  const cell = cells.find((text) => text.startsWith('{"format":"cauri statement '));
  try {
    const { format, columns, kinds = {} } = JSON.parse(cell ?? "{}") as Partial<OpeningFacts>;
    if (format === firstFormat)
      return { format, columns: firstColumns, kinds: byWord(firstKinds), lastKind: "signature" };
    const isReadable = format === statementFormat && isTexts(columns);
    return isReadable && Object.values(kinds).every(isTexts) ? laidOut(columns, kinds) : undefined;
  } catch {
    return undefined;
  }
}

function laidOut(
  columns: readonly string[],
  kinds: Readonly<Record<string, readonly string[]>>,
): Omit<RowLayout, "header"> {
  return { format: statementFormat, columns, kinds: byWord(kinds), lastKind: "closing" };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function byWord(kinds: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, words]) => [kind, ...words].map((word) => [word, kind])),
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join("\n") === other.join("\n");
}
