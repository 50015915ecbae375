import type { CompanyIndex } from "./company-index.ts";
import { movedOf } from "./company-index.ts";
import { groupBy } from "./group-by.ts";
import { answersOf, type Request, saying } from "./requests.ts";

/** What was acknowledged is there, once and as it was sent; what was refused is not; and nothing is there that nobody asked for. */
export function checkOnce(index: CompanyIndex, requests: readonly Request[]): string[] {
  return [
    ...requests.flatMap((request) => {
      const { kind } = request.act;
      if (kind === "transfer" || kind === "batch") return checkTransfers(index, request);
      if (kind === "charge") return checkCharge(index, request);
      if (kind === "refund") return checkRefund(index, request);
      if (kind === "fund" || kind === "withdraw") return checkMovement(index, request);
      return [];
    }),
    ...checkPayments(index, requests),
    ...findInvented(index, requests),
  ];
}

function countedAs(count: number, request: Request): string[] {
  if (count >= request.least && count <= request.most) return [];
  return [`${request.name} happened ${count} times, ${saying(request)}`];
}

function checkTransfers(index: CompanyIndex, request: Request): string[] {
  if (request.act.kind !== "transfer" && request.act.kind !== "batch") return [];
  const { rows, kind } = request.act;
  const findings: string[] = [];
  let happened = 0;
  for (const [place, row] of rows.entries()) {
    const found = index.transfersByReference.get(row.reference) ?? [];
    findings.push(...countedAs(found.length, request));
    const [transfer] = found;
    if (transfer === undefined) continue;
    happened += 1;
    for (const field of ["amount", "msisdn"] as const)
      if (transfer[field] !== row[field])
        findings.push(`transfer ${row.reference} has another ${field}: ${transfer[field]}`);
    for (const answer of answersOf(request)) {
      const told = kind === "batch" ? answer.transactions[place] : answer;
      if (told?.id !== transfer.id)
        findings.push(
          `transfer ${row.reference} was told as ${told?.id} and is there as ${transfer.id}`,
        );
    }
  }
  if (happened !== 0 && happened !== rows.length)
    findings.push(`of ${request.name}, ${happened} of ${rows.length} rows happened`);
  return findings;
}

function checkCharge(index: CompanyIndex, request: Request): string[] {
  if (request.act.kind !== "charge") return [];
  const { externalId, amount } = request.act;
  const found = index.state.charges.filter((one) => one.externalId === externalId);
  const [charge] = found;
  const findings = countedAs(found.length, request);
  if (charge !== undefined && charge.amount !== amount)
    findings.push(`charge ${externalId} is of ${charge.amount} instead of ${amount}`);
  for (const answer of answersOf(request))
    if (charge !== undefined && answer.id !== charge.id)
      findings.push(`charge ${externalId} was told as ${answer.id} and is there as ${charge.id}`);
  return findings;
}

function checkRefund(index: CompanyIndex, request: Request): string[] {
  if (request.act.kind !== "refund") return [];
  const { chargeId, amount } = request.act;
  const refunds = index.chargesById
    .get(chargeId)
    ?.transactions.filter((one) => one.type === "refund" && one.amount === amount);
  return countedAs(refunds?.length ?? 0, request);
}

function checkMovement(index: CompanyIndex, request: Request): string[] {
  if (request.act.kind !== "fund" && request.act.kind !== "withdraw") return [];
  const { kind, reference, amount } = request.act;
  const found = index.state.movements.filter(
    (one) => one.kind === kind && one.reference === reference,
  );
  const other = found.find((one) => one.amount !== amount);
  return [
    ...countedAs(found.length, request),
    ...(other === undefined ? [] : [`${request.name} was of ${other.amount}, not of ${amount}`]),
  ];
}

/** A payment without a key is told from another one of its charge by nothing, so they are counted together. */
function checkPayments(index: CompanyIndex, requests: readonly Request[]): string[] {
  const findings: string[] = [];
  const pays = requests.filter(({ act }) => act.kind === "pay");
  const byCharge = groupBy(pays, ({ act }) => (act.kind === "pay" ? act.chargeId : ""));
  for (const charge of index.state.charges) {
    const asked = byCharge.get(charge.id) ?? [];
    const least = asked.reduce((sum, request) => sum + request.least, 0);
    const most = asked.reduce((sum, request) => sum + request.most, 0);
    const payments = charge.transactions.filter(({ type }) => type === "payment");
    if (payments.length < least || payments.length > most)
      findings.push(
        `charge ${charge.id} was tried to be paid ${payments.length} times, not ${least} to ${most}`,
      );
    const ids = new Set(charge.transactions.map(({ id }) => id));
    for (const answer of asked.flatMap(answersOf))
      for (const { id } of answer.transactions)
        if (!ids.has(id)) findings.push(`the payment ${id} of charge ${charge.id} is gone`);
    const paid = movedOf(charge).filter(({ type }) => type === "payment");
    if (paid.length > 1) findings.push(`charge ${charge.id} was paid ${paid.length} times`);
  }
  return findings;
}

function findInvented(index: CompanyIndex, requests: readonly Request[]): string[] {
  const asked = new Set(
    requests.flatMap(({ act }) => {
      if (act.kind === "transfer" || act.kind === "batch")
        return act.rows.map(({ reference }) => `transfer ${reference}`);
      if (act.kind === "charge") return [`charge ${act.externalId}`];
      if (act.kind === "refund") return [`refund of ${act.amount} of ${act.chargeId}`];
      if (act.kind === "pay") return [];
      return [`${act.kind} ${act.reference}`];
    }),
  );
  const { transfers, charges, movements } = index.state;
  return [
    ...transfers.map(({ reference }) => `transfer ${reference}`),
    ...charges.map(({ externalId }) => `charge ${externalId}`),
    ...charges.flatMap(({ id, transactions }) =>
      transactions
        .filter(({ type }) => type === "refund")
        .map(({ amount }) => `refund of ${amount} of ${id}`),
    ),
    ...movements.map(({ kind, reference }) => `${kind} ${reference}`),
  ]
    .filter((name) => !asked.has(name))
    .map((name) => `${name} is in the books and nobody asked for it`);
}
