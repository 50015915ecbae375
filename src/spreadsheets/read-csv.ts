import { CsvRows } from "./csv-rows.ts";
import { decodeText } from "./decode-text.ts";
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
  yield* rows.parse(head.slice(named?.[0].length ?? 0));
  for await (const piece of text) yield* rows.parse(piece);
  yield* rows.end();
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

/** Separators inside quotes belong to a cell. */
function separatorOf(head: string): Separator {
  const firstLine = head.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const counts = separators.map((separator) => firstLine.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}
