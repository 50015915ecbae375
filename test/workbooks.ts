import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { type TableLimits, tableLimits } from "../src/spreadsheets/limits.ts";
import { readTable } from "../src/spreadsheets/read-table.ts";
import type { TableRow } from "../src/spreadsheets/table.ts";

/** A zip archive of these parts. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A workbook with this sheet, as small as one can be; `parts` are added or replace its own. */
export function workbookOf(
  sheetData: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  return zipOf({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns:r="${relations}"><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/sharedStrings.xml": "<sst><si><t>shared</t></si></sst>",
    "xl/styles.xml":
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`,
    ...parts,
  });
}

/** All rows of a table, as the reader gives them. */
export async function rowsOf(
  bytes: Buffer | string,
  limits?: Partial<TableLimits>,
): Promise<TableRow[]> {
  const content = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  return Readable.from(readTable(content, "file", { ...tableLimits, ...limits })).toArray();
}
