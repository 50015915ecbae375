import type { Cell, Row } from "./cell.ts";
import { type Guard, guarded } from "./formula-guard.ts";

/** Who reads it: a program, or Excel as it is set up in French, which asks for semicolons and a mark that it is UTF-8. */
export const csvDialects = ["machine", "excel-fr"] as const;
export type CsvDialect = (typeof csvDialects)[number];

interface Style {
  readonly start: string;
  readonly separator: string;
  readonly guard: Guard;
}

const styles: Readonly<Record<CsvDialect, Style>> = {
  machine: { start: "", separator: ",", guard: "formulas" },
  "excel-fr": { start: "\ufeff", separator: ";", guard: "formulas-and-numbers" },
};

/** Writes a header and rows as CSV, a set of rows at a time. Rows that are made as they are taken are never held together. */
export async function* csvWriter(
  header: readonly string[],
  sets: AsyncIterable<Iterable<Row>>,
  dialect: CsvDialect,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHeader(header, dialect));
  for await (const rows of sets) {
    let text = "";
    for (const row of rows) text += csvLine(row, dialect);
    if (text !== "") yield Buffer.from(text);
  }
}

export function csvHeader(header: readonly string[], dialect: CsvDialect): string {
  return `${styles[dialect].start}${csvLine(
    header.map((text) => ({ text })),
    dialect,
  )}`;
}

export function csvLine(row: Row, dialect: CsvDialect): string {
  const { separator, guard } = styles[dialect];
  return `${row.map((cell) => quoted(textOf(cell, guard))).join(separator)}\r\n`;
}

function textOf(cell: Cell, guard: Guard): string {
  if ("amount" in cell) return String(cell.amount);
  return "moment" in cell ? cell.moment : guarded(cell.text, guard);
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
