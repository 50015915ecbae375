import type { Language } from "../../kernel/language.ts";
import type { Cell, Row } from "../../spreadsheets/cell.ts";
import { columns, type ExportRow, kindWords, rowKinds } from "./columns.ts";

/** Who reads it: programs, by the names of columns and kinds, or people, in their language. */
export type Reader = "program" | Language;

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

function kindFor(reader: Reader, kind: string): string {
  if (reader === "program") return kind;
  const known = rowKinds.find((one) => one === kind);
  return known === undefined ? kind : kindWords[known][reader];
}
