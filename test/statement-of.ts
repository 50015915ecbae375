import { hash } from "node:crypto";
import { digestOfSet, factsText, firstHash, nextHash } from "../src/statements/chain.ts";
import type { Exporter } from "../src/statements/export/export-rows.ts";
import { ledgerKeyOf, type Seal, signSeal } from "../src/statements/seal.ts";
import type { Statement, StatementLine } from "../src/statements/statement.ts";

export const companyId = "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6";
const key = ledgerKeyOf(Buffer.alloc(32, 7));
export const exporter: Exporter = {
  companyName: "Café de l’Étoile",
  timeZone: "Africa/Dakar",
  verifyUrl: "https://pay.example/verify",
  key,
  keys: [key],
};

const opening = 10_000_000;
const startMs = Date.UTC(2026, 0, 1);
const linesAtOnce = 500;
const linesPerDay = 10;
/** Texts that files of tables have trouble with. */
const references = [
  "=1+1",
  "a,b;c",
  'say "hi"',
  "00123",
  "'+1",
  "été €",
  "<b>&amp;",
  "2,21771E+11",
];

/** A statement of so many lines, without a database. After each line's set comes one of which no posting is a line. */
export function statementOf(count: number, sealedWith = key): Statement {
  const seals: Seal[] = [];
  const hashBefore = firstHash({ companyId, after: 0 });
  let hashAfter = hashBefore;
  for (let index = 0; index < count; index += 1) {
    hashAfter = nextHash(nextHash(hashAfter, digestOfLine(index)), digestAfter(index));
    if (index % linesPerDay === linesPerDay - 1 && seals.length < 100)
      seals.push(sealAt(index, hashAfter, sealedWith));
  }
  const closing = count === 0 ? opening : lineAt(count - 1).balanceAfter;
  const totals = [{ kind: "transfer" as const, count, amount: closing - opening, fee: 50 * count }];
  return {
    head: {
      companyId,
      subCompanyId: null,
      period: { from: new Date(startMs), until: new Date(startMs + 31 * 86_400_000) },
      opening,
      closing,
      totals,
      count,
      after: 0,
      upto: count * 2,
      closedUntil: new Date(startMs + count * 61_007),
      hashBefore,
      hashAfter,
      seals,
    },
    lines: setsOf(count),
    digestsAfter: () => (count === 0 ? [] : [digestAfter(count - 1)]),
  };
}

/** Its lines alone. */
export async function* setsOf(count: number): AsyncGenerator<readonly StatementLine[]> {
  for (let from = 0; from < count; from += linesAtOnce)
    yield Array.from({ length: Math.min(linesAtOnce, count - from) }, (_, index) =>
      lineAt(from + index),
    );
}

const setsOfVersion1 = 3;

function lineAt(index: number): StatementLine {
  const number = index * 2 + 1;
  return {
    number,
    at: new Date(startMs + index * 61_007),
    kind: "transfer",
    amount: -5,
    fee: 50,
    balanceAfter: opening - 5 * (index + 1),
    id: `txn_${subjectOf(number).replaceAll("-", "")}`,
    chargeId: null,
    reference: `${references[index % references.length]} ${index}`,
    externalId: null,
    serviceTransactionReference: null,
    msisdn: String(221_770_000_000 + index),
    subCompanyId: null,
    subCompanyName: null,
    batchId: null,
    memo: index % 3 === 0 ? "Prime d’été" : null,
    proof: {
      event: "transfer.reserved",
      subjectId: subjectOf(number),
      debit: "available",
      credit: "in_flight",
      hidden: index % 5 === 0 ? hash("sha256", `metadata ${index}`, "hex") : undefined,
      digestsBefore: index === 0 ? [] : [digestAfter(index - 1)],
      // The first sets were made by a release that chained no facts.
      endsSet: index < setsOfVersion1 ? 1 : 2,
    },
  };
}

function digestOfLine(index: number): Buffer {
  const line = lineAt(index);
  const { number, at, amount, balanceAfter: availableAfter, proof } = line;
  const { event = "", subjectId = "", debit = "", credit = "", hidden, endsSet = 1 } = proof ?? {};
  const facts = factsText(line, hidden);
  const moved = { number, subjectId, amount: -amount, availableAfter, event, debit, credit, at };
  return digestOfSet([{ ...moved, facts }], endsSet);
}

function digestAfter(index: number): Buffer {
  const number = index * 2 + 2;
  const posting = {
    number,
    subjectId: subjectOf(number - 1),
    amount: 5,
    availableAfter: null,
    event: "transfer.completed",
    debit: "in_flight",
    credit: "paid_out",
    at: new Date(startMs + index * 61_007 + 5),
  };
  return digestOfSet([posting], index < setsOfVersion1 ? 1 : 2);
}

function sealAt(index: number, chain: Buffer, sealedWith: typeof key): Seal {
  return signSeal(sealedWith, {
    companyId,
    day: new Date(startMs + index * 86_400_000).toISOString().slice(0, 10),
    until: new Date(startMs + (index + 1) * 61_007),
    number: index * 2 + 2,
    balance: lineAt(index).balanceAfter,
    hash: chain,
  });
}

function subjectOf(number: number): string {
  return `019b2d5f-3a7c-7c0f-8000-${String(number).padStart(12, "0")}`;
}
