import { createReadStream } from "node:fs";
import type { Language } from "../kernel/language.ts";
import type { Cell, Row } from "../spreadsheets/cell.ts";
import { plainHeading } from "../spreadsheets/match-columns.ts";
import { readTable } from "../spreadsheets/read-table.ts";
import { csvWriter } from "../spreadsheets/write-csv.ts";
import { readHeader } from "./columns.ts";
import { NotAnOutcomeFile } from "./errors.ts";
import { outcomeHeadings } from "./outcome-file.ts";

export interface RetryDraft {
  readonly failedCount: number;
  /** Rows that are still under way, and rows that were never sent: importing the first file again sees to both. */
  readonly openCount: number;
  /** Rows that were left out because something is wrong with them. */
  readonly leftOutCount: number;
  readonly reasons: Readonly<Record<string, number>>;
}

/**
 * Writes a new file of the rows that failed, and none when nobody's has. A row's reference is made from the transfer that failed, so that each failure can
 * be made good once: two drafts of the same failure pay one of them.
 */
export async function writeRetryDraft(
  outcomePath: string,
  write: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<RetryDraft> {
  const rows = readTable(createReadStream(outcomePath), outcomePath)[Symbol.asyncIterator]();
  const { value: first, done } = await rows.next();
  if (done === true) throw new NotAnOutcomeFile(outcomePath);
  const layout = layoutOf(first.cells);
  if (layout === undefined) throw new NotAnOutcomeFile(outcomePath);
  const { header, width, reference, amount } = layout;
  const counts = {
    failedCount: 0,
    openCount: 0,
    leftOutCount: 0,
    reasons: {} as Record<string, number>,
  };

  async function* failed(): AsyncGenerator<readonly Row[]> {
    for await (const { cells } of { [Symbol.asyncIterator]: () => rows }) {
      const [id = "", status = "", reason = ""] = cells.slice(width);
      if (status !== "failed") {
        if (status === "not_sent" && reason !== "") counts.leftOutCount += 1;
        else if (status !== "completed") counts.openCount += 1;
        continue;
      }
      counts.failedCount += 1;
      counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
      yield [
        header.map((_, place): Cell => {
          const text = cells[place] ?? "";
          if (place === reference) return { text: `retry-${id}` };
          // As the outcome file has it: a number that can be added up.
          return place === amount && /^\d{1,15}$/.test(text) ? { amount: Number(text) } : { text };
        }),
      ];
    }
  }
  const sets = failed();
  const start = await sets.next();
  async function* all(): AsyncGenerator<readonly Row[]> {
    if (start.done !== true) yield start.value;
    yield* sets;
  }
  if (start.done !== true) await write(csvWriter(header, all(), "excel-fr"));
  return counts;
}

interface Layout {
  /** Of the draft: the input's headings, and one for the reference where the input has none. */
  readonly header: readonly string[];
  /** How many columns the input had. */
  readonly width: number;
  readonly reference: number;
  readonly amount: number;
}

function layoutOf(outcomeHeader: readonly string[]): Layout | undefined {
  const added = outcomeHeader.slice(-5).map(plainHeading);
  const isOutcome = (["en", "fr"] as Language[]).some((language) =>
    outcomeHeadings[language].every((heading, place) => plainHeading(heading) === added[place]),
  );
  if (!isOutcome) return undefined;
  const width = outcomeHeader.length - added.length;
  const input = outcomeHeader.slice(0, width);
  const read = readHeader(1, input);
  if (!("columns" in read)) return undefined;
  const { reference, amount } = read.columns;
  return reference === undefined
    ? { header: [...input, "reference"], width, reference: width, amount }
    : { header: input, width, reference, amount };
}
