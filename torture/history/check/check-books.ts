import type { FinalState } from "../final-state.ts";
import { type CompanyIndex, movedOf } from "./company-index.ts";

/** The final books by themselves: closed, without gaps, each movement once, and everything has ended. */
export function checkBooks(index: CompanyIndex): string[] {
  const { books, postings, transfers, charges, company } = index.state;
  const findings: string[] = [];
  const sum = Object.values(books).reduce((total, one) => total + one, 0);
  if (sum !== 0) findings.push(`the books of ${company} sum to ${sum}`);
  const gap = postings.findIndex(({ number }, place) => number !== place + 1);
  if (gap !== -1) findings.push(`posting ${gap + 1} of ${company} is missing`);
  if (index.availableAfter(index.last) !== books.available)
    findings.push(
      `the last posting of ${company} leaves ${index.availableAfter(index.last)}, its books say ${books.available}`,
    );
  const seen = new Set<string>();
  for (const { subject, event, credit } of postings) {
    const name = `${event} of ${subject} to ${credit}`;
    if (seen.has(name)) findings.push(`${name} was posted twice`);
    seen.add(name);
  }
  for (const transfer of transfers) {
    const { uuid, status, reference } = transfer;
    if (status === "pending") findings.push(`transfer ${reference} is still pending`);
    if (index.reservedAt(transfer) === Infinity)
      findings.push(`transfer ${reference} took no money`);
    if (status !== "pending" && index.endedAt(transfer) === Infinity)
      findings.push(`transfer ${reference} is ${status} and nothing was posted for it`);
    if (
      seen.has(`transfer.completed of ${uuid} to paid_out`) &&
      seen.has(`transfer.released of ${uuid} to available`)
    )
      findings.push(`transfer ${reference} was paid and given back`);
  }
  for (const charge of charges) {
    for (const one of movedOf(charge))
      if (index.movedAt(one) === Infinity)
        findings.push(`the ${one.type} ${one.id} of charge ${charge.id} was never posted`);
    const refunded = movedOf(charge)
      .filter(({ type }) => type === "refund")
      .reduce((total, { amount }) => total + amount, 0);
    if (refunded !== charge.refunded || refunded > charge.paid)
      findings.push(
        `charge ${charge.id} says refunded ${charge.refunded} of ${charge.paid}, made ${refunded}`,
      );
  }
  return findings;
}

/** All wallets hold what all companies have paid out, and their own entries say the same. */
export function checkWallets({ companies, wallets, walletEntries }: FinalState): string[] {
  const paidOut = companies.reduce((sum, { books }) => sum + books.paid_out, 0);
  return [
    ...(wallets === paidOut ? [] : [`wallets hold ${wallets}, ${paidOut} was paid out`]),
    ...(wallets === walletEntries
      ? []
      : [`wallets hold ${wallets}, their entries sum to ${walletEntries}`]),
  ];
}
