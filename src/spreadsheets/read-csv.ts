import { CsvError, type Parser, parse } from "csv-parse";
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
  const separator = named === null ? separatorOf(head) : (named[1] ?? ",");
  const rows = new CsvRows(separator, named === null ? 0 : 1, limits);
  for await (const piece of follow(head, text)) yield* rows.parse(piece);
  yield* rows.end();
}

/** Parses piece by piece. The rows before a place that cannot be read are handed on before it is told. */
class CsvRows {
  readonly #parser: Parser;
  readonly #limits: TableLimits;
  #rows: TableRow[] = [];
  #lines: number;
  #failure: Error | undefined;

  constructor(separator: string, linesBefore: number, limits: TableLimits) {
    this.#limits = limits;
    this.#lines = linesBefore;
    this.#parser = parse({
      delimiter: separator,
      from_line: linesBefore + 1,
      max_record_size: limits.columnsMax * limits.cellCharsMax,
      on_record: (cells: string[]) => this.#add(cells),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
    });
    this.#parser.on("error", (error) => (this.#failure = error));
    this.#parser.resume();
  }

  async *parse(text: string): AsyncGenerator<TableRow> {
    await new Promise<void>((resolve) => this.#parser.write(text, () => resolve()));
    yield* this.#take();
  }

  async *end(): AsyncGenerator<TableRow> {
    await new Promise<void>((resolve) => this.#parser.once("close", resolve).end());
    yield* this.#take();
  }

  #add(cells: readonly string[]): null {
    this.#rows.push({ line: this.#lines + 1, cells: cells.map(unguarded) });
    this.#lines += cells.reduce((lines, cell) => lines + (cell.match(/\r\n?|\n/g)?.length ?? 0), 1);
    return null;
  }

  *#take(): Generator<TableRow> {
    const rows = this.#rows;
    this.#rows = [];
    yield* rows;
    if (this.#failure !== undefined) throw this.#toUnreadable(this.#failure);
  }

  #toUnreadable(error: Error): Error {
    const line = this.#lines + 1;
    if (!(error instanceof CsvError)) return error;
    if (error.code === "CSV_MAX_RECORD_SIZE")
      return UnreadableFile.cellTooLong(line, this.#limits.cellCharsMax);
    return new UnreadableFile(
      {
        en: `the quotes of line ${line} do not fit together. A cell that contains a quote is written "like ""this""".`,
        fr: `les guillemets de la ligne ${line} ne vont pas ensemble. Une cellule qui en contient s’écrit "comme ""ceci""".`,
      },
      { cause: error },
    );
  }
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
