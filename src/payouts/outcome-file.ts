import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Language } from "../kernel/language.ts";
import type { Cell, Row } from "../spreadsheets/cell.ts";
import { readTable } from "../spreadsheets/read-table.ts";
import { csvWriter } from "../spreadsheets/write-csv.ts";
import type { PayoutColumns } from "./columns.ts";
import { FileChangedMeanwhile } from "./errors.ts";
import { notSent, type PayoutOutcome } from "./follow-payouts.ts";
import type { LeftOut } from "./leave-out.ts";
import type { Payout } from "./payout.ts";
import { hashing } from "./read-payouts.ts";
import { writeThroughPart } from "./write-file.ts";

/** The columns behind those of the input, in this order. */
export const outcomeHeadings: Readonly<Record<Language, readonly string[]>> = {
  en: ["id", "status", "reason", "fee", "time"],
  fr: ["id", "statut", "motif_echec", "frais", "date"],
};

export interface OutcomeFile {
  readonly input: string;
  readonly output: string;
  readonly fileHash: string;
  readonly columns: PayoutColumns;
  readonly payouts: readonly Payout[];
  readonly leftOut: LeftOut;
}

const rowsAtOnce = 500;

/** Writes the rows of the input, which is read again, each with what became of it. */
export async function writeOutcomes(
  { input, output, fileHash, columns, payouts, leftOut }: OutcomeFile,
  outcomes: AsyncIterable<PayoutOutcome>,
): Promise<void> {
  const coming = outcomes[Symbol.asyncIterator]();
  const header = [...columns.header, ...outcomeHeadings[columns.language]];
  const hash = createHash("sha256");
  const file = await open(input, "r");
  try {
    const bytes = hashing(file.createReadStream({ autoClose: false }), hash);
    const rows = readTable(bytes, input)[Symbol.asyncIterator]();
    // The headings.
    await rows.next();
    async function* sets(): AsyncGenerator<readonly Row[]> {
      let set: Row[] = [];
      let place = 0;
      for await (const { line, cells } of { [Symbol.asyncIterator]: () => rows }) {
        const reason = leftOut[line];
        if (reason !== undefined) {
          set.push(outcomeRow(columns, cells, undefined, { ...notSent, reason }));
        } else {
          const payout = payouts[place];
          const outcome = payout?.line === line ? await coming.next() : undefined;
          if (outcome === undefined || outcome.done === true) throw new FileChangedMeanwhile(input);
          set.push(outcomeRow(columns, cells, payout, outcome.value));
          place += 1;
        }
        if (set.length < rowsAtOnce) continue;
        yield set;
        set = [];
      }
      yield set;
      if (place < payouts.length || hash.digest("hex") !== fileHash)
        throw new FileChangedMeanwhile(input);
    }
    await writeThroughPart(output, csvWriter(header, sets(), "excel-fr"));
  } finally {
    await file.close();
  }
}

/** A row of the outcome file: the cells of the input, and what became of them. */
export function outcomeRow(
  columns: PayoutColumns,
  cells: readonly string[],
  payout: Pick<Payout, "amount"> | undefined,
  outcome: PayoutOutcome,
): Row {
  return [...inputCells(columns, cells, payout), ...outcomeCells(outcome)];
}

/** As they were written, but the amount of what was paid is a number that can be added up. */
function inputCells(
  columns: PayoutColumns,
  cells: readonly string[],
  payout?: Pick<Payout, "amount">,
): Cell[] {
  return columns.header.map((_, place) =>
    place === columns.amount && payout !== undefined
      ? { amount: payout.amount }
      : { text: cells[place] ?? "" },
  );
}

function outcomeCells({ id, status, reason, fee, time }: PayoutOutcome): Cell[] {
  return [
    { text: id ?? "" },
    { text: status },
    { text: reason ?? "" },
    fee === null ? { text: "" } : { amount: fee },
    { text: time ?? "" },
  ];
}
