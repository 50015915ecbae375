import { Bytes } from "../../kernel/bytes.ts";
import { readCsv } from "../../spreadsheets/read-csv.ts";
import { csvWriter } from "../../spreadsheets/write-csv.ts";
import { headerFor } from "../export/present.ts";
import { cellSets } from "../export/write-export.ts";
import { CountedRows, type ExportFile, exportLimits } from "./export-file.ts";

const excelMark = Buffer.from("\ufeff");

export function csvExport(bytes: () => AsyncIterable<Buffer>): ExportFile {
  return {
    table: () => readCsv(bytes(), exportLimits),
    async findDifference(sets, reader) {
      const file = new Bytes(bytes());
      try {
        const dialect = (await file.startsWith(excelMark)) ? "excel-fr" : "machine";
        const rows = new CountedRows(sets);
        for await (const piece of csvWriter(headerFor(reader), cellSets(rows, reader), dialect))
          if (!(await file.takeIf(piece))) return rows.count;
        return (await file.isAtEnd()) ? undefined : rows.count;
      } finally {
        await file.end();
      }
    },
  };
}
