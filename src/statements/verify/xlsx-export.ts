import { Bytes } from "../../kernel/bytes.ts";
import { openZip, type Zip } from "../../spreadsheets/open-zip.ts";
import { readXlsx } from "../../spreadsheets/read-xlsx.ts";
import { type Part, workbookParts } from "../../spreadsheets/workbook-parts.ts";
import { cellSets, workbookFacts } from "../export/write-export.ts";
import { CountedRows, type ExportFile, exportLimits } from "./export-file.ts";

export function xlsxExport(path: string): ExportFile {
  const zipOf = () => openZip(path, exportLimits.unpackedBytesMax);
  return {
    async *table() {
      const zip = await zipOf();
      try {
        yield* readXlsx(zip, exportLimits, Number.POSITIVE_INFINITY);
      } finally {
        zip.close();
      }
    },
    async findDifference(sets, reader) {
      if (reader === "program") return 0;
      const zip = await zipOf();
      const rows = new CountedRows(sets);
      const names: string[] = [];
      try {
        for await (const part of workbookParts(workbookFacts(reader), cellSets(rows, reader))) {
          names.push(part.name);
          if (!(await isInside(zip, part))) return rows.count;
        }
        return names.join("\n") === zip.names.join("\n") ? undefined : rows.count;
      } finally {
        zip.close();
      }
    },
  };
}

async function isInside(zip: Zip, { name, pieces }: Part): Promise<boolean> {
  if (!zip.has(name)) return false;
  const content = new Bytes(zip.read(name));
  try {
    for await (const piece of pieces) if (!(await content.takeIf(piece))) return false;
    return await content.isAtEnd();
  } finally {
    await content.end();
  }
}
