import type { Language } from "../kernel/language.ts";
import type { Row } from "../spreadsheets/cell.ts";
import { csvWriter } from "../spreadsheets/write-csv.ts";
import { xlsxWriter } from "../spreadsheets/write-xlsx.ts";
import { headings } from "./columns.ts";

const fields = ["phone", "amount", "reference", "description"] as const;

/** A spreadsheet would take the zero from the beginning of a number, and make 2.21E+11 of a long one. */
const textColumns = [fields.indexOf("phone"), fields.indexOf("reference")];

/** A file with headings and no rows. There is no example in it: somebody would pay it. */
export function templateOf(language: Language, kind: "csv" | "xlsx"): AsyncIterable<Buffer> {
  const header = fields.map((field) => headings[language][field][0] ?? field);
  return kind === "csv"
    ? csvWriter(header, noRows(), "excel-fr")
    : xlsxWriter({ sheetName: "Cauri", header, widths: [20, 14, 24, 40], textColumns }, noRows());
}

async function* noRows(): AsyncGenerator<readonly Row[]> {}
