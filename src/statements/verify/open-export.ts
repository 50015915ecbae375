import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { headerFor, type Reader, readers, rowFrom } from "../export/present.ts";
import { csvExport } from "./csv-export.ts";
import { NotAnExport } from "./errors.ts";
import type { ExportFile } from "./export-file.ts";
import { pdfExport } from "./pdf-export.ts";
import type { FoundRow } from "./verify-rows.ts";
import { xlsxExport } from "./xlsx-export.ts";

export async function openExport(path: string): Promise<ExportFile> {
  const start = await firstBytes(path);
  const bytes = () => createReadStream(path) as AsyncIterable<Buffer>;
  if (start.startsWith("%PDF")) return pdfExport(bytes);
  return start.startsWith("PK") ? xlsxExport(path) : csvExport(bytes);
}

/** For whom the export was written: seen from its header. */
export async function findReader(path: string, file: ExportFile): Promise<Reader> {
  for await (const { cells } of file.table()) {
    const reader = readers.find((one) => isHeader(one, cells));
    if (reader !== undefined) return reader;
    break;
  }
  throw new NotAnExport(path);
}

/** The rows below the header; in a workbook with several sheets each has one. */
export async function* foundRows(file: ExportFile, reader: Reader): AsyncGenerator<FoundRow> {
  for await (const { line, cells } of file.table())
    if (line !== 1 || !isHeader(reader, cells)) yield { line, row: rowFrom(reader, cells) };
}

function isHeader(reader: Reader, cells: readonly string[]): boolean {
  return headerFor(reader).join("\n") === cells.join("\n");
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}
