import type { Client } from "./client.ts";
import { answerOf, claimOf, fits, type Journal, type Sent, type SentCharge } from "./journal.ts";

const readersMax = 16;

/**
 * Compares what the callers were told with what the service says now, through the API, as they would do
 * it: by reference and by externalId. Returns what does not fit, each as one sentence.
 */
export async function verifyBooks(client: Client, journal: Journal): Promise<string[]> {
  const findings: string[] = [];
  const tasks = [
    ...journal.transfers.map((sent) => () => verifyTransfers(client, sent)),
    ...journal.charges.map((sent) => () => verifyCharge(client, sent)),
  ];
  const readers = Array.from({ length: readersMax }, async () => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop())
      findings.push(...(await task()));
  });
  await Promise.all(readers);
  return findings;
}

async function verifyTransfers(
  client: Client,
  sent: Journal["transfers"][number],
): Promise<string[]> {
  const findings: string[] = [];
  const told = answerOf(sent);
  const toldRows = told?.transactions ?? [told];
  let happened = 0;
  for (const [index, row] of sent.rows.entries()) {
    const query = `reference=${encodeURIComponent(row.reference)}`;
    const { count, data } = await client.get(`/v1/transactions?${query}`);
    if (!fits(count, claimOf(sent)))
      findings.push(`transfer ${row.reference} happened ${count} times, ${saying(sent)}`);
    happened += count > 0 ? 1 : 0;
    if (count !== 1) continue;
    const [found] = data;
    if (found.status === "pending") findings.push(`transfer ${row.reference} is still pending`);
    for (const field of ["amount", "msisdn", "reference"] as const)
      if (found[field] !== row[field])
        findings.push(`transfer ${row.reference} has another ${field}: ${found[field]}`);
    if (told !== undefined) findings.push(...differences(toldRows[index], found, row.reference));
  }
  if (happened !== 0 && happened !== sent.rows.length)
    findings.push(`of a batch, ${happened} of ${sent.rows.length} rows happened, ${saying(sent)}`);
  return findings;
}

/** All that a settlement leaves as it was. */
function differences(told: Record<string, unknown>, found: Record<string, unknown>, name: string) {
  const changing = new Set(["status", "updatedAt", "failureReason"]);
  return Object.keys({ ...told, ...found })
    .filter((field) => !changing.has(field))
    .filter((field) => JSON.stringify(told[field]) !== JSON.stringify(found[field]))
    .map(
      (field) =>
        `transfer ${name}: told ${field} ${JSON.stringify(told[field])}, found ${JSON.stringify(found[field])}`,
    );
}

async function verifyCharge(client: Client, sent: SentCharge): Promise<string[]> {
  const findings: string[] = [];
  const name = `charge ${sent.externalId}`;
  const query = `externalId=${encodeURIComponent(sent.externalId)}`;
  const { count, data } = await client.get(`/v1/charges?${query}`);
  if (!fits(count, claimOf(sent)))
    findings.push(`${name} happened ${count} times, ${saying(sent)}`);
  if (count !== 1) return findings;
  const [found] = data;
  const told = answerOf(sent);
  for (const field of ["id", "amount", "paymentUrl", "createdAt", "description"])
    if (told !== undefined && told[field] !== found[field])
      findings.push(
        `${name}: told ${field} ${JSON.stringify(told[field])}, found ${JSON.stringify(found[field])}`,
      );

  const transactions: Transaction[] = found.transactions;
  const payments = transactions.filter(({ type }) => type === "payment");
  const refunds = transactions.filter(({ type }) => type === "refund");
  findings.push(...verifySeen(name, sent, transactions));
  const claims = sent.payments.map(claimOf);
  const least = claims.reduce((sum, claim) => sum + claim.least, 0);
  const most = claims.reduce((sum, claim) => sum + claim.most, 0);
  if (payments.length < least || payments.length > most)
    findings.push(`${name} was tried to be paid ${payments.length} times, not ${least} to ${most}`);
  if (payments.length !== found.attempts)
    findings.push(`${name} has ${payments.length} attempts and says ${found.attempts}`);
  if (payments.filter(({ status }) => status === "completed").length > 1)
    findings.push(`${name} was paid more than once`);

  const named = new Set(sent.refunds.map(({ amount }) => amount));
  for (const refund of sent.refunds.filter(({ amount }) => amount !== undefined)) {
    const made = refunds.filter(({ amount }) => amount === refund.amount).length;
    if (!fits(made, claimOf(refund)))
      findings.push(
        `${name}: the refund of ${refund.amount} happened ${made} times, ${saying(refund)}`,
      );
  }
  const rests = sent.refunds.filter(({ amount }) => amount === undefined).map(claimOf);
  const restsMade = refunds.filter(({ amount }) => !named.has(amount)).length;
  const isToldOfRest = rests.some(({ least: sure }) => sure === 1);
  const mayHaveRest = rests.some(({ most: possible }) => possible === 1);
  if (restsMade > (mayHaveRest ? 1 : 0) || restsMade < (isToldOfRest ? 1 : 0))
    findings.push(`${name}: all that was left was refunded ${restsMade} times`);
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  if (refunded !== found.refunded || refunded > found.paid)
    findings.push(`${name} says refunded ${found.refunded} of ${found.paid}, made ${refunded}`);
  return findings;
}

interface Transaction {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: number;
}

/** Every payment and refund that an answer showed is still there, as it was. */
function verifySeen(
  name: string,
  sent: SentCharge,
  transactions: readonly Transaction[],
): string[] {
  const byId = new Map(transactions.map((one) => [one.id, JSON.stringify(one)]));
  const seen: Transaction[] = [...sent.payments, ...sent.refunds].flatMap(
    (one) => answerOf(one)?.transactions ?? [],
  );
  return seen
    .filter((one) => byId.get(one.id) !== JSON.stringify(one))
    .map((one) => `${name}: the ${one.type} ${one.id} of an answer is gone or changed`);
}

function saying({ outcomes }: Sent): string {
  const said = outcomes.map((outcome) => {
    if (outcome.kind === "ok") return `${outcome.status}`;
    return outcome.kind === "refused" ? `${outcome.status} ${outcome.code}` : outcome.why;
  });
  return `its sender was told ${said.join(", then ")}`;
}
