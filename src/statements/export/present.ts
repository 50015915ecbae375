import type { Language } from "../../kernel/language.ts";
import type { Cell, Row } from "../../spreadsheets/cell.ts";
import { columns, type ExportRow, kindWords, rowKinds } from "./columns.ts";

/** Who reads it: programs, by the names of columns and kinds, or people, in their language. */
export type Reader = "program" | Language;
export const readers: readonly Reader[] = ["program", "en", "fr"];

export function headerFor(reader: Reader): readonly string[] {
  return columns.map(({ name, words }) => (reader === "program" ? name : words[reader]));
}

export function cellsFor(reader: Reader, row: ExportRow): Row {
  return columns.map(({ name, type }): Cell => {
    const text = row[name] ?? "";
    if (type === "text" || text === "")
      return { text: name === "kind" ? kindFor(reader, text) : text };
    return type === "amount" ? { amount: Number(text) } : { moment: text };
  });
}

/** The row that cells were made from; undefined when no row makes them. */
export function rowFrom(reader: Reader, cells: readonly string[]): ExportRow | undefined {
  if (cells.length > columns.length) return undefined;
  const row = Object.fromEntries(
    columns.map(({ name, type }, index) => {
      const text = cells[index] ?? "";
      // A sheet's midnight is read as a day.
      const isDay = type === "moment" && /^\d{4}-\d\d-\d\d$/.test(text);
      return [name, isDay ? `${text} 00:00:00` : text];
    }),
  );
  const kind = rowKinds.find((one) => kindFor(reader, one) === row["kind"]);
  if (kind === undefined || !columns.every(({ name, type }) => fits(type, row[name] ?? "")))
    return undefined;
  return { ...row, kind };
}

function kindFor(reader: Reader, kind: string): string {
  if (reader === "program") return kind;
  const known = rowKinds.find((one) => one === kind);
  return known === undefined ? kind : kindWords[known][reader];
}

function fits(type: (typeof columns)[number]["type"], text: string): boolean {
  if (type === "text" || text === "") return true;
  if (type === "amount") return /^(?:0|-?[1-9]\d{0,15})$/.test(text);
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
}
