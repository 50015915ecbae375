import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { decodeText } from "./decode-text.ts";
import { UnreadableFile } from "./errors.ts";
import { unguarded } from "./formula-guard.ts";
import type { TableLimits } from "./limits.ts";
import type { TableRow } from "./table.ts";

const separators = [",", ";", "\t"] as const;
type Separator = (typeof separators)[number];

/** So much of the beginning is looked at to learn the separator. */
const headCharsMax = 64 * 1024;

/** Reads CSV with the separator that its first line has most of, whatever the line ends. */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  limits: TableLimits,
): AsyncGenerator<TableRow> {
  const text = decodeText(chunks);
  const head = await takeHead(text);
  const named = /^sep=([,;\t])\r?\n/.exec(head);
  let [linesBefore, linesParsed] = named === null ? [0, 0] : [1, 1];
  const parser = parse({
    delimiter: named === null ? separatorOf(head) : (named[1] ?? ","),
    from_line: linesBefore + 1,
    max_record_size: limits.columnsMax * limits.cellCharsMax,
    // Called some time before the loop below has the row: where it stops is where the trouble is.
    on_record: (cells: string[]) => {
      linesParsed += linesOf(cells);
      return cells;
    },
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
  });
  // What goes wrong in the text ends the parser too, and is thrown by the loop below.
  pipeline(follow(head, text), parser).catch(() => undefined);
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      yield { line: linesBefore + 1, cells: cells.map(unguarded) };
      linesBefore += linesOf(cells);
    }
  } catch (error) {
    throw error instanceof CsvError ? toUnreadable(error, linesParsed + 1, limits) : error;
  } finally {
    parser.destroy();
    await text.return(undefined);
  }
}

function linesOf(cells: readonly string[]): number {
  return cells.reduce((lines, cell) => lines + (cell.match(/\r\n?|\n/g)?.length ?? 0), 1);
}

async function takeHead(text: AsyncIterator<string>): Promise<string> {
  let head = "";
  while (head.length < headCharsMax) {
    const { value, done } = await text.next();
    if (done === true) break;
    head += value;
  }
  return head;
}

async function* follow(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

/** Separators inside quotes belong to a cell. */
function separatorOf(head: string): Separator {
  const firstLine = head.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const counts = separators.map((separator) => firstLine.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}

function toUnreadable(error: CsvError, line: number, limits: TableLimits): UnreadableFile {
  if (error.code === "CSV_MAX_RECORD_SIZE")
    return UnreadableFile.cellTooLong(line, limits.cellCharsMax);
  return new UnreadableFile(
    {
      en: `the quotes of line ${line} do not fit together. A cell that contains a quote is written "like ""this""".`,
      fr: `les guillemets de la ligne ${line} ne vont pas ensemble. Une cellule qui en contient s’écrit "comme ""ceci""".`,
    },
    { cause: error },
  );
}
