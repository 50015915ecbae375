import { spellMsisdn } from "../kernel/countries.ts";
import { referenceKey } from "../kernel/reference-forms.ts";
import { byLine, type Finding, findings } from "./findings.ts";
import {
  type Account,
  chunksOf,
  type Inquiry,
  type Recipient,
  recipientsAtOnce,
  referencesAtOnce,
} from "./paymaster.ts";
import type { Payout } from "./payout.ts";

/** Rows outside what this account can send at once. */
export function checkAmounts(
  { transferAmount: { min, max } }: Account,
  payouts: readonly Payout[],
): Finding[] {
  return payouts
    .filter(({ amount }) => amount < min || amount > max)
    .map(({ line, amount }) => findings.amountOutOfRange(line, amount, min, max));
}

export interface History {
  readonly findings: readonly Finding[];
  /** Rows without a reference of their own that were sent before: the same file was paid, wholly or in part. */
  readonly sentCount: number;
}

/** Asks whether references were used before. */
export async function checkHistory(
  paymaster: Inquiry,
  payouts: readonly Payout[],
  onProgress: (done: number) => void = () => {},
): Promise<History> {
  const used: Finding[] = [];
  let sentCount = 0;
  let done = 0;
  for (const chunk of chunksOf(payouts, referencesAtOnce)) {
    const found = await paymaster.find(chunk.map(({ reference }) => reference));
    const byReference = new Map(found.map((sent) => [referenceKey(sent.reference), sent]));
    for (const { line, reference, hasOwnReference } of chunk) {
      const sent = byReference.get(referenceKey(reference));
      if (sent === undefined) continue;
      if (hasOwnReference)
        used.push(findings.referenceUsed(line, reference, sent.id, sent.createdAt.slice(0, 10)));
      else sentCount += 1;
    }
    done += chunk.length;
    onProgress(done);
  }
  return { findings: used, sentCount };
}

export interface RecipientsChecked {
  readonly findings: readonly Finding[];
  /** Rows for people who are not fully identified: no mistake, but worth a look. */
  readonly notIdentified: readonly number[];
}

/** Asks whether money would find somebody, and whether it could ever fit. */
export async function checkRecipients(
  paymaster: Inquiry,
  payouts: readonly Payout[],
  onProgress: (done: number) => void = () => {},
  onRecipient: (recipient: Recipient) => void = () => {},
): Promise<RecipientsChecked> {
  const wrong: Finding[] = [];
  const notIdentified: number[] = [];
  let done = 0;
  for (const chunk of chunksOfPeople(payouts, recipientsAtOnce)) {
    for (const recipient of await paymaster.check([...chunk.keys()])) {
      onRecipient(recipient);
      const rows = chunk.get(recipient.msisdn) ?? [];
      wrong.push(...findingsOf(recipient, rows));
      if (recipient.kycStatus !== "complete") notIdentified.push(...rows.map(({ line }) => line));
      done += rows.length;
    }
    onProgress(done);
  }
  return {
    findings: wrong.toSorted(byLine),
    notIdentified: notIdentified.toSorted((a, b) => a - b),
  };
}

/** Some people at a time, each with all their rows: those of everybody at once would be held only to be asked about in turn. */
function* chunksOfPeople(
  payouts: readonly Payout[],
  size: number,
): Generator<ReadonlyMap<string, readonly Payout[]>> {
  let chunk = new Map<string, Payout[]>();
  for (const payout of payouts.toSorted(byRecipient)) {
    const rows = chunk.get(payout.msisdn);
    if (rows !== undefined) {
      rows.push(payout);
      continue;
    }
    if (chunk.size === size) {
      yield chunk;
      chunk = new Map();
    }
    chunk.set(payout.msisdn, [payout]);
  }
  if (chunk.size > 0) yield chunk;
}

function byRecipient(one: Payout, other: Payout): number {
  if (one.msisdn === other.msisdn) return one.line - other.line;
  return one.msisdn < other.msisdn ? -1 : 1;
}

function findingsOf(
  { msisdn, kycStatus, amountMax }: Recipient,
  rows: readonly Payout[],
): Finding[] {
  const spelled = spellMsisdn(msisdn);
  if (kycStatus === "unknown")
    return rows.map(({ line }) => findings.recipientUnknown(line, spelled));
  if (amountMax === 0) return rows.map(({ line }) => findings.recipientBlocked(line, spelled));
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  if (amountMax === null || sum <= amountMax) return [];
  return rows.map(({ line }) => findings.recipientOverLimit(line, spelled, sum, amountMax));
}
