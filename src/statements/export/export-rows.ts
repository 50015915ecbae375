import assert from "node:assert/strict";
import { companyIdPrefix } from "../../companies/company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { toWallClock } from "../../spreadsheets/cell.ts";
import type { SetVersion } from "../chain.ts";
import { type LedgerKey, type PublicLedgerKey, publicKeyOf, type Seal } from "../seal.ts";
import { toSealResource } from "../seal-resource.ts";
import type { Statement, StatementHead, StatementLine } from "../statement.ts";
import { columnNames, type ExportRow, kindWords, type UncheckedRow } from "./columns.ts";
import type { OpeningFacts } from "./facts.ts";
import { checkOf, noRows, type RowCheck, toCheckText } from "./row-check.ts";

/** What an export needs beside the statement itself. */
export interface Exporter {
  readonly companyName: string;
  readonly timeZone: string;
  /** Where the operator verifies files for whoever has one. */
  readonly verifyUrl: string;
  /** Signs the export. */
  readonly key: LedgerKey;
  /** All that ever signed, so that seals can be checked without asking anybody. */
  readonly keys: readonly PublicLedgerKey[];
}

export const statementFormat = "cauri statement 2";

/** So many digests fit in one cell of a sheet, which holds 32 767 characters. */
const digestsPerRow = 400;

/**
 * The rows of an export, a set at a time: the opening, the seals, the lines, the closing.
 * Each carries its check, so that one that is changed, removed, moved or added is found at its place. A row is made when it is taken, so that
 * of a set of lines one row at a time is in memory; each set is to be taken to its end before the next is asked for.
 */
export async function* exportRows(
  { head, lines, digestsAfter }: Statement,
  exporter: Exporter,
): AsyncGenerator<Iterable<ExportRow>> {
  const facts = openingFacts(head, exporter);
  const rows = new CheckedRows();
  yield rows.add([openingRow(facts), ...head.seals.map((seal) => sealRow(seal, exporter.keys))]);
  for await (const set of lines) yield rows.add(rowsOf(set, exporter.timeZone));
  yield rows.add([...proofRows(digestsAfter()), closingRow(facts)]);
}

class CheckedRows {
  #last: RowCheck = noRows(statementFormat, columnNames);
  #isTaken = true;

  *add(rows: Iterable<UncheckedRow>): Generator<ExportRow> {
    assert(this.#isTaken, "the rows of the set before were not taken to their end");
    this.#isTaken = false;
    for (const row of rows) {
      this.#last = checkOf(this.#last, row, columnNames);
      row.check = toCheckText(this.#last);
      yield row;
    }
    this.#isTaken = true;
  }
}

export const wordsOfKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(kindWords).map(([kind, words]) => [kind, Object.values(words)]),
);

function openingFacts(head: StatementHead, { companyName, timeZone }: Exporter): OpeningFacts {
  return {
    format: statementFormat,
    columns: columnNames,
    kinds: wordsOfKinds,
    company: toPublicId(companyIdPrefix, head.companyId),
    companyName,
    subCompany: head.subCompanyId,
    timeZone,
    from: head.period.from?.toISOString() ?? null,
    until: head.period.until?.toISOString() ?? null,
    opening: head.opening,
    closing: head.closing,
    count: head.count,
    totals: head.totals,
    after: head.after,
    upto: head.upto,
    closedUntil: head.closedUntil?.toISOString() ?? null,
    hashBefore: head.hashBefore?.toString("hex") ?? null,
    hashAfter: head.hashAfter?.toString("hex") ?? null,
  };
}

function openingRow(facts: OpeningFacts): UncheckedRow {
  return {
    number: String(facts.after),
    kind: "opening",
    balanceAfter: String(facts.opening),
    memo: facts.companyName,
    proof: JSON.stringify(facts),
    check: "",
  };
}

function closingRow(facts: OpeningFacts): UncheckedRow {
  return {
    number: String(facts.upto),
    kind: "closing",
    balanceAfter: String(facts.closing),
    memo: facts.companyName,
    check: "",
  };
}

function sealRow(seal: Seal, keys: readonly PublicLedgerKey[]): UncheckedRow {
  return {
    kind: "seal",
    memo: seal.day,
    proof: JSON.stringify(toSealResource(seal, publicKeyOf(keys, seal))),
    check: "",
  };
}

/** Each line, and before it rows for the digests that its own cell does not hold. */
function* rowsOf(set: readonly StatementLine[], timeZone: string): Generator<UncheckedRow> {
  for (const line of set) {
    const digests = line.proof?.digestsBefore ?? [];
    const fit = digests.length <= digestsPerRow;
    if (!fit) yield* proofRows(digests);
    yield lineRow(line, timeZone, fit ? digests : []);
  }
}

function lineRow(
  line: StatementLine,
  timeZone: string,
  digestsBefore: readonly Buffer[],
): UncheckedRow {
  return {
    number: String(line.number),
    at: line.at.toISOString(),
    date: toWallClock(line.at, timeZone),
    kind: line.kind,
    amount: String(line.amount),
    fee: String(line.fee),
    balanceAfter: String(line.balanceAfter),
    id: line.id,
    chargeId: line.chargeId ?? "",
    reference: line.reference ?? "",
    externalId: line.externalId ?? "",
    serviceTransactionReference: line.serviceTransactionReference ?? "",
    msisdn: line.msisdn ?? "",
    subCompanyId: line.subCompanyId ?? "",
    subCompanyName: line.subCompanyName ?? "",
    batchId: line.batchId ?? "",
    memo: line.memo ?? "",
    proof: line.proof === null ? "" : proofText(line.proof, digestsBefore),
    check: "",
  };
}

const endWords: Readonly<Record<SetVersion, string>> = { 1: "end", 2: "end2" };

/**
 * Five words and more, none with a space in it: which posting it is; whether its set ends here, and in which version; `=` with the
 * digest of what the row does not show; and the digests before.
 */
function proofText(
  { event, subjectId, debit, credit, hidden, endsSet }: NonNullable<StatementLine["proof"]>,
  digestsBefore: readonly Buffer[],
): string {
  const end = endsSet === undefined ? "more" : endWords[endsSet];
  const words = `${event} ${subjectId} ${debit} ${credit} ${end}${hidden === undefined ? "" : ` =${hidden}`}`;
  return digestsBefore.length === 0 ? words : `${words} ${digestTexts(digestsBefore).join(" ")}`;
}

function proofRows(digests: readonly Buffer[]): UncheckedRow[] {
  const rows: UncheckedRow[] = [];
  for (let from = 0; from < digests.length; from += digestsPerRow)
    rows.push({
      kind: "proof",
      proof: digestTexts(digests.slice(from, from + digestsPerRow)).join(" "),
      check: "",
    });
  return rows;
}

function digestTexts(digests: readonly Buffer[]): string[] {
  return digests.map((digest) => digest.toString("hex"));
}
