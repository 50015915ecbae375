import type { Language } from "../../kernel/language.ts";
import { documentObjects } from "../../pdf/document.ts";
import { NotAsWritten } from "../../pdf/errors.ts";
import type { PdfObject } from "../../pdf/objects.ts";
import { readObjects } from "../../pdf/read-objects.ts";
import { literal } from "../../pdf/text.ts";
import { readCsv } from "../../spreadsheets/read-csv.ts";
import { attachmentName, printStatement } from "../export/print-statement.ts";
import { documentFacts } from "../export/write-export.ts";
import { type ExportFile, exportLimits } from "./export-file.ts";

/** The table of a PDF is what is attached to it; what is printed must follow from that. */
export function pdfExport(bytes: () => AsyncIterable<Buffer>): ExportFile {
  return {
    table: () => readCsv(attachments(bytes()), exportLimits),
    async findDifference(rows) {
      const found = readObjects(bytes());
      const language = await languageOf(readObjects(bytes()));
      let lastRow = 0;
      try {
        for await (const expected of documentObjects(
          documentFacts(language),
          printStatement(rows, language),
        )) {
          const { value } = await found.next();
          if (!isSame(value, expected)) return firstRowThatDiffers(value, expected) ?? lastRow + 1;
          lastRow = rowsOf(expected.content).at(-1)?.row ?? lastRow;
        }
        return (await found.next()).done === true ? undefined : lastRow;
      } catch (error) {
        if (error instanceof NotAsWritten) return lastRow + 1;
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
      if (dictionary.startsWith("/Type/EmbeddedFile") && content !== undefined) yield content;
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

function isSame(found: PdfObject | undefined, expected: PdfObject): boolean {
  if (found?.id !== expected.id || found.dictionary !== expected.dictionary) return false;
  const none = Buffer.alloc(0);
  return (found.content ?? none).equals(expected.content ?? none);
}

/** Of a page: the row whose line is not drawn as it should be. */
function firstRowThatDiffers(
  found: PdfObject | undefined,
  expected: PdfObject,
): number | undefined {
  const drawn = rowsOf(found?.content);
  return rowsOf(expected.content).find(({ text }, index) => text !== drawn[index]?.text)?.row;
}

/** The lines of a page, each with the remark of its row before it. */
function rowsOf(content: Buffer | undefined): { readonly row: number; readonly text: string }[] {
  const lines =
    content
      ?.toString("latin1")
      .split(/^%(?=\d+$)/m)
      .slice(1) ?? [];
  return lines.map((text) => ({ row: Number.parseInt(text, 10), text }));
}
