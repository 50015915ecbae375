import type { Language } from "../../kernel/language.ts";
import { documentObjects } from "../../pdf/document.ts";
import { NotAsWritten } from "../../pdf/errors.ts";
import type { PdfObject } from "../../pdf/objects.ts";
import { unpack } from "../../pdf/packed.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { literal } from "../../pdf/text.ts";
import { readCsv } from "../../spreadsheets/read-csv.ts";
import { attachmentName, printStatement } from "../export/print-statement.ts";
import { documentFacts } from "../export/write-export.ts";
import { type ExportFile, exportLimits } from "./export-file.ts";

/** What the dictionary of a page's content says: nothing. */
const pageContent = "";

/** The table of a PDF is what is attached to it; what is printed must follow from that. */
export function pdfExport(bytes: () => AsyncIterable<Buffer>): ExportFile {
  return {
    table: () => readCsv(attachments(bytes()), exportLimits),
    async findDifference(rows) {
      const found = readObjects(bytes());
      const language = await languageOf(readObjects(bytes()));
      // Of the last two pages: the very last may have no row.
      let printed: readonly (Buffer | undefined)[] = [];
      const lastRow = async () => (await lastRowOf(printed[0])) || (await lastRowOf(printed[1]));
      try {
        for await (const expected of documentObjects(
          documentFacts(language),
          printStatement(rows, language),
        )) {
          const { value } = await found.next();
          if (!(await isSame(value, expected)))
            return (await firstRowThatDiffers(value, expected)) ?? (await lastRow()) + 1;
          if (expected.dictionary === pageContent) printed = [expected.content, printed[0]];
        }
        return (await found.next()).done === true ? undefined : await lastRow();
      } catch (error) {
        if (error instanceof NotAsWritten) return (await lastRow()) + 1;
        throw error;
      } finally {
        await found.return(undefined);
      }
    },
  };
}

/** A document that was changed is read as far as it can be. */
async function* attachments(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const { dictionary, content } of readObjects(bytes))
      if (dictionary.startsWith("/Type/EmbeddedFile") && content !== undefined) {
        const table = await unpack(content);
        if (table === undefined) return;
        yield table;
      }
  } catch (error) {
    if (!(error instanceof NotAsWritten)) throw error;
  }
}

async function languageOf(objects: AsyncIterable<PdfObject>): Promise<Language> {
  for await (const { dictionary } of objects)
    if (dictionary.includes(literal(attachmentName("en", 1)))) return "en";
    else if (dictionary.startsWith("/Type/Filespec")) break;
  return "fr";
}

/** The same content can be packed otherwise by another release of the library that packs it. */
async function isSame(found: PdfObject | undefined, expected: PdfObject): Promise<boolean> {
  if (found?.id !== expected.id || found.dictionary !== expected.dictionary) return false;
  if (found.content === undefined || expected.content === undefined)
    return found.content === expected.content;
  if (found.content.equals(expected.content)) return true;
  const [one, other] = [await unpack(found.content), await unpack(expected.content)];
  return one !== undefined && other !== undefined && one.equals(other);
}

/** Of a page: the row whose line is not drawn as it should be. */
async function firstRowThatDiffers(
  found: PdfObject | undefined,
  expected: PdfObject,
): Promise<number | undefined> {
  const drawn = await rowsOf(found?.content);
  return (await rowsOf(expected.content)).find(({ text }, index) => text !== drawn[index]?.text)
    ?.row;
}

async function lastRowOf(content: Buffer | undefined): Promise<number> {
  return (await rowsOf(content)).at(-1)?.row ?? 0;
}

/** The lines of a page, each with the remark of its row before it. */
async function rowsOf(
  content: Buffer | undefined,
): Promise<{ readonly row: number; readonly text: string }[]> {
  const page = content && (await unpack(content));
  const lines =
    page
      ?.toString("latin1")
      .split(/^%(?=\d+$)/m)
      .slice(1) ?? [];
  return lines.map((text) => ({ row: Number.parseInt(text, 10), text }));
}
