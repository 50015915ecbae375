import { createHash, type Hash } from "node:crypto";
import type { Country } from "../kernel/countries.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import { isUnwritable } from "../kernel/unwritable.ts";
import { tableLimits } from "../spreadsheets/limits.ts";
import { readTable } from "../spreadsheets/read-table.ts";
import type { TableRow } from "../spreadsheets/table.ts";
import { type PayoutColumns, readHeader } from "./columns.ts";
import { byLine, type Finding, findings } from "./findings.ts";
import { derivedReference, type Payout, payoutsMax } from "./payout.ts";
import { meaningsOf, readAmount } from "./read-amount.ts";
import { readRecipient } from "./read-recipient.ts";

/** A value that was not taken as it stands: whoever pays sees what was made of it. */
interface Reading {
  readonly line: number;
  readonly typed: string;
  readonly read: string;
}

/** How many there are, and the first thousand of them: a file where every row is one is read in little memory too. */
export interface Readings {
  readonly count: number;
  readonly first: readonly Reading[];
}

/** What a file asks for, before the service was asked about it. */
export interface Draft {
  /** SHA-256 of what was read, in hexadecimal digits. */
  readonly fileHash: string;
  /** Undefined when the headings do not say enough. */
  readonly columns: PayoutColumns | undefined;
  readonly payouts: readonly Payout[];
  readonly findings: readonly Finding[];
  /** Phone numbers to which the country code was added. */
  readonly completedPhones: Readings;
  /** Amounts that were more than digits. */
  readonly readAmounts: Readings;
}

export interface ReadingOptions {
  /** Whose phone numbers may be written without country code. */
  readonly country: Country;
  /** Two rows for the same person with the same amount are meant so. */
  readonly allowRepeats: boolean;
}

const readingsMax = 1_000;
const referenceMax = 255;
const descriptionMax = 1_000;
/** What the service can keep: no NUL, and no half of a surrogate pair, which UTF-8 cannot carry. */
const isKept = (text: string) =>
  !text.includes("\0") && Buffer.from(text, "utf8").toString("utf8") === text;

/** Reads a file that was opened: see `readTable` for what it may be. */
export async function readPayouts(
  bytes: AsyncIterable<Buffer>,
  name: string,
  options: ReadingOptions,
): Promise<Draft> {
  const reader = new Reader(options);
  const hash = createHash("sha256");
  const limits = { ...tableLimits, rowsMax: payoutsMax + 1 };
  for await (const row of readTable(hashing(bytes, hash), name, limits)) {
    reader.add(row);
    if (reader.hasNoColumns) break;
  }
  return reader.draft(hash.digest("hex"));
}

/** The same from rows that were read before, of a file with this hash: the headings first. */
export function readRows(
  rows: Iterable<TableRow>,
  fileHash: string,
  options: ReadingOptions,
): Draft {
  const reader = new Reader(options);
  for (const row of rows) {
    reader.add(row);
    if (reader.hasNoColumns) break;
  }
  return reader.draft(fileHash);
}

/** Hashed as it is read: what is paid is what was hashed, also when somebody saves the file meanwhile. */
export async function* hashing(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

function note(readings: { count: number; first: Reading[] }, reading: Reading): void {
  readings.count += 1;
  if (readings.count <= readingsMax) readings.first.push(reading);
}

class Reader {
  readonly #options: ReadingOptions;
  readonly #payouts: Payout[] = [];
  readonly #findings: Finding[] = [];
  readonly #completedPhones = { count: 0, first: [] as Reading[] };
  readonly #readAmounts = { count: 0, first: [] as Reading[] };
  /** The line where a reference stands first. */
  readonly #references = new Map<string, number>();
  #columns: PayoutColumns | undefined;
  #rowsSeen = 0;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  get hasNoColumns(): boolean {
    return this.#columns === undefined;
  }

  add(row: TableRow): void {
    if (this.#columns === undefined) {
      const header = readHeader(row.line, row.cells);
      if ("columns" in header) this.#columns = header.columns;
      else this.#findings.push(...header.findings);
    } else {
      this.#rowsSeen += 1;
      this.#addRow(this.#columns, row);
    }
  }

  draft(fileHash: string): Draft {
    if (this.#rowsSeen === 0 && this.#findings.length === 0) this.#findings.push(findings.noRows());
    const repeats = this.#findRepeats();
    for (const [{ line }, first] of repeats)
      this.#findings.push(findings.rowRepeated(line, first.line));
    return {
      fileHash,
      columns: this.#columns,
      payouts: this.#payouts
        .filter((payout) => !repeats.has(payout))
        .map((payout) =>
          payout.hasOwnReference
            ? payout
            : { ...payout, reference: derivedReference(fileHash, payout.line) },
        ),
      findings: this.#findings.toSorted(byLine),
      completedPhones: this.#completedPhones,
      readAmounts: this.#readAmounts,
    };
  }

  #addRow(columns: PayoutColumns, { line, cells }: TableRow): void {
    const before = this.#findings.length;
    if (cells.slice(columns.header.length).some((cell) => cell.trim() !== ""))
      this.#findings.push(findings.tooManyCells(line));
    const cell = (place: number | undefined) =>
      place === undefined ? "" : (cells[place] ?? "").trim();
    const msisdn = this.#phone(line, cell(columns.phone));
    const amount = this.#amount(line, cell(columns.amount));
    const reference = this.#reference(line, cell(columns.reference));
    const description = this.#description(line, cell(columns.description));
    if (msisdn === undefined || amount === undefined || this.#findings.length > before) return;
    const hasOwnReference = reference !== "";
    this.#payouts.push({ line, msisdn, amount, reference, hasOwnReference, description });
  }

  #phone(line: number, typed: string): string | undefined {
    const { country } = this.#options;
    const read = readRecipient(typed, country);
    if (read.problem === undefined) {
      if (read.isCompleted) note(this.#completedPhones, { line, typed, read: `+${read.msisdn}` });
      return read.msisdn;
    }
    const { example } = country;
    this.#findings.push(
      {
        missing: () => findings.phoneMissing(line),
        scientific: () => findings.phoneScientific(line, typed),
        zeroLost: () => findings.phoneZeroLost(line, typed, example),
        withoutCountry: () => findings.phoneWithoutCountry(line, typed, example),
        oldBenin: () => findings.phoneOldBenin(line, typed),
        oldIvoryCoast: () => findings.phoneOldIvoryCoast(line, typed),
        wrong: () => findings.phoneWrong(line, typed),
      }[read.problem](),
    );
    return undefined;
  }

  #amount(line: number, typed: string): number | undefined {
    const read = readAmount(typed);
    if (read.problem === undefined) {
      if (!read.isPlain) note(this.#readAmounts, { line, typed, read: String(read.amount) });
      return read.amount;
    }
    this.#findings.push(
      {
        missing: () => findings.amountMissing(line),
        ambiguous: () => findings.amountAmbiguous(line, typed, ...meaningsOf(typed)),
        scientific: () => findings.amountScientific(line, typed),
        fraction: () => findings.amountFraction(line, typed),
        currency: () => findings.amountCurrency(line, typed),
        wrong: () => findings.amountWrong(line, typed),
      }[read.problem](),
    );
    return undefined;
  }

  #reference(line: number, given: string): string {
    if (given === "") return given;
    if (given.length > referenceMax || !isKept(given) || isUnwritable(given))
      this.#findings.push(findings.referenceTooLong(line, referenceMax));
    const key = referenceKey(given);
    const first = this.#references.get(key);
    if (first === undefined) this.#references.set(key, line);
    else this.#findings.push(findings.referenceRepeated(line, given, first));
    return given;
  }

  #description(line: number, given: string): string | null {
    if (given.length > descriptionMax || !isKept(given))
      this.#findings.push(findings.descriptionTooLong(line, descriptionMax));
    return given === "" ? null : given;
  }

  /**
   * Rows that say again what another has said, each with the one that stands first. Whoever gives both rows their own
   * references says that they are two.
   */
  #findRepeats(): ReadonlyMap<Payout, Payout> {
    const repeats = new Map<Payout, Payout>();
    if (this.#options.allowRepeats) return repeats;
    let first: Payout | undefined;
    for (const payout of this.#payouts.toSorted(byRecipientAndAmount)) {
      if (payout.msisdn !== first?.msisdn || payout.amount !== first.amount) first = payout;
      else if (!first.hasOwnReference || !payout.hasOwnReference) repeats.set(payout, first);
    }
    return repeats;
  }
}

/** Rows of the same person side by side, and in their order: a list of the rows takes less memory than a table of people. */
function byRecipientAndAmount(one: Payout, other: Payout): number {
  if (one.msisdn !== other.msisdn) return one.msisdn < other.msisdn ? -1 : 1;
  return one.amount - other.amount || one.line - other.line;
}
