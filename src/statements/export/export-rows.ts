import { companyIdPrefix } from "../../companies/company.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { toWallClock } from "../../spreadsheets/cell.ts";
import type { LedgerKey, PublicLedgerKey, Seal } from "../seal.ts";
import { toSealResource } from "../seal-resource.ts";
import type { Statement, StatementHead, StatementLine } from "../statement.ts";
import type { ExportRow } from "./columns.ts";
import { type OpeningFacts, type SignatureFacts, signedText } from "./facts.ts";
import { checkOf, noRows, type RowCheck, toCheckText } from "./row-check.ts";

/** What an export needs beside the statement itself. */
export interface Exporter {
  readonly companyName: string;
  readonly timeZone: string;
  /** Signs the export. */
  readonly key: LedgerKey;
  /** All that ever signed, so that seals can be checked without asking anybody. */
  readonly keys: readonly PublicLedgerKey[];
}

/** So many digests fit in one cell of a sheet, which holds 32 767 characters. */
const digestsPerRow = 400;

/**
 * The rows of an export, a set at a time: the opening, the seals, the lines, the closing, the signature.
 * Each carries its check, so that one that is changed, removed, moved or added is found.
 */
export async function* exportRows(
  { head, lines, digestsAfter }: Statement,
  exporter: Exporter,
): AsyncGenerator<readonly ExportRow[]> {
  const facts = openingFacts(head, exporter);
  const chain = new CheckedRows();
  yield [openingRow(facts), ...head.seals.map((seal) => sealRow(seal, exporter.keys))].map((row) =>
    chain.add(row),
  );
  for await (const set of lines)
    yield set.flatMap((line) => lineRows(line, exporter.timeZone)).map((row) => chain.add(row));
  yield [...proofRows(digestsAfter()), closingRow(facts)].map((row) => chain.add(row));
  yield [chain.add(signatureRow(chain.last, exporter.key))];
}

class CheckedRows {
  #last: RowCheck = noRows;

  get last(): RowCheck {
    return this.#last;
  }

  add(row: ExportRow): ExportRow {
    this.#last = checkOf(this.#last, row);
    return { ...row, check: toCheckText(this.#last) };
  }
}

function openingFacts(head: StatementHead, { companyName, timeZone }: Exporter): OpeningFacts {
  return {
    format: "cauri statement 1",
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
    hashBefore: head.hashBefore?.toString("hex") ?? null,
    hashAfter: head.hashAfter?.toString("hex") ?? null,
  };
}

function openingRow(facts: OpeningFacts): ExportRow {
  return {
    number: String(facts.after),
    kind: "opening",
    balanceAfter: String(facts.opening),
    memo: facts.companyName,
    proof: JSON.stringify(facts),
  };
}

function closingRow(facts: OpeningFacts): ExportRow {
  return {
    number: String(facts.upto),
    kind: "closing",
    balanceAfter: String(facts.closing),
    memo: facts.companyName,
  };
}

function sealRow(seal: Seal, keys: readonly PublicLedgerKey[]): ExportRow {
  const publicKey = keys.find(({ id }) => id === seal.keyId)?.publicKey ?? "";
  return {
    kind: "seal",
    memo: seal.day,
    proof: JSON.stringify(toSealResource(seal, publicKey)),
  };
}

function signatureRow(last: RowCheck, key: LedgerKey): ExportRow {
  const facts: SignatureFacts = {
    key: { id: key.id, publicKey: key.publicKey },
    signature: key.sign(signedText(toCheckText(last))).toString("base64"),
  };
  return { kind: "signature", proof: JSON.stringify(facts) };
}

/** A line, and before it rows for the digests that its own cell does not hold. */
function lineRows(line: StatementLine, timeZone: string): readonly ExportRow[] {
  const digests = line.proof?.digestsBefore ?? [];
  const own = digests.length > digestsPerRow ? [] : digests;
  return [...(own === digests ? [] : proofRows(digests)), lineRow(line, timeZone, own)];
}

function lineRow(
  line: StatementLine,
  timeZone: string,
  digestsBefore: readonly Buffer[],
): ExportRow {
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
  };
}

/** Six words and more, none with a space in it: which posting it is, whether its set ends here, and the digests before. */
function proofText(
  { event, subjectId, debit, credit, endsSet }: NonNullable<StatementLine["proof"]>,
  digestsBefore: readonly Buffer[],
): string {
  return [
    event,
    subjectId,
    debit,
    credit,
    endsSet ? "end" : "more",
    ...digestTexts(digestsBefore),
  ].join(" ");
}

function proofRows(digests: readonly Buffer[]): ExportRow[] {
  const rows: ExportRow[] = [];
  for (let from = 0; from < digests.length; from += digestsPerRow)
    rows.push({
      kind: "proof",
      proof: digestTexts(digests.slice(from, from + digestsPerRow)).join(" "),
    });
  return rows;
}

function digestTexts(digests: readonly Buffer[]): string[] {
  return digests.map((digest) => digest.toString("hex"));
}
