import type { Language } from "../kernel/language.ts";
import { inLanguage } from "../kernel/language.ts";
import { Turns } from "../kernel/turns.ts";
import type { PayoutColumns } from "../payouts/columns.ts";
import { chunksOf } from "../payouts/paymaster.ts";
import type { Field } from "../payouts/payout.ts";
import type { Row } from "../spreadsheets/cell.ts";
import { plainHeading } from "../spreadsheets/match-columns.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import { csvWriter } from "../spreadsheets/write-csv.ts";
import type { BadRow } from "./check-draft.ts";
import { rowsWrittenAtOnce } from "./draft.ts";
import { CorrectionsUnreadable } from "./errors.ts";

/** What was typed into the fields of one row; null: the row is taken out. */
export type Mended = Readonly<Partial<Record<Field, string>>> | null;

/** The columns that the file of rows to mend has beside its own. */
const addedHeadings: Readonly<Record<Language, readonly [line: string, problem: string]>> = {
  fr: ["ligne", "erreur"],
  en: ["line", "error"],
};

/** The rows with what was typed, line by line. A field without a column of its own gets one. */
export function mendRows(
  rows: readonly TableRow[],
  columns: PayoutColumns,
  mended: ReadonlyMap<number, Mended>,
): TableRow[] {
  const [headings, ...others] = rows;
  if (headings === undefined) return [];
  const header = [...columns.header];
  const placeOf = (field: Field): number => {
    const place = columns[field];
    if (place !== undefined) return place;
    const heading = field === "description" && columns.language === "fr" ? "motif" : field;
    const added = header.indexOf(heading, columns.header.length);
    if (added !== -1) return added;
    header.push(heading);
    return header.length - 1;
  };
  const after = others.flatMap((row) => {
    const fields = mended.get(row.line);
    if (fields === undefined) return [row];
    if (fields === null) return [];
    const cells = row.cells.slice(0, columns.header.length);
    for (const [field, text] of Object.entries(fields) as [Field, string][]) {
      if (text === "" && columns[field] === undefined) continue;
      const place = placeOf(field);
      while (cells.length <= place) cells.push("");
      cells[place] = text;
    }
    return [{ line: row.line, cells }];
  });
  return [{ line: headings.line, cells: header }, ...after];
}

/** The rows to mend as a file: their own columns, which line each is, and what is wrong with it. */
export function badRowsFile(
  columns: PayoutColumns,
  badRows: readonly BadRow[],
): AsyncIterable<Buffer> {
  const { language } = columns;
  const header = [...columns.header, ...addedHeadings[language]];
  async function* sets(): AsyncGenerator<readonly Row[]> {
    const turns = new Turns();
    for (const chunk of chunksOf(badRows, rowsWrittenAtOnce)) {
      if (turns.isOver) await turns.next();
      yield chunk.map(({ row, findings }) => [
        ...columns.header.map((_, place) => ({ text: row.cells[place] ?? "" })),
        { amount: row.line },
        { text: findings.map(({ message }) => inLanguage(language, message)).join(" ") },
      ]);
    }
  }
  return csvWriter(header, sets(), "excel-fr");
}

/** The draft's rows with those of such a file in their places. Throws CorrectionsUnreadable. */
export function putBack(
  rows: readonly TableRow[],
  columns: PayoutColumns,
  corrected: readonly TableRow[],
): TableRow[] {
  const [headings, ...sent] = corrected;
  const names = (headings?.cells ?? []).map(plainHeading);
  const linePlace = names.findIndex((name) =>
    Object.values(addedHeadings).some(([line]) => plainHeading(line) === name),
  );
  const places = columns.header.map((heading) => names.indexOf(plainHeading(heading)));
  if (linePlace === -1 || places.includes(-1)) throw new CorrectionsUnreadable();
  const byLine = new Map(sent.map((row) => [Number(row.cells[linePlace]), row.cells]));
  const known = new Set(rows.slice(1).map(({ line }) => line));
  if (byLine.size !== sent.length || [...byLine.keys()].some((line) => !known.has(line)))
    throw new CorrectionsUnreadable();
  return rows.map((row, index) => {
    const cells = index === 0 ? undefined : byLine.get(row.line);
    if (cells === undefined) return row;
    return { line: row.line, cells: places.map((place) => cells[place] ?? "") };
  });
}
