import type { Client } from "../traffic/client.ts";
import { chargeFeeOf } from "./books.ts";
import type { Raced } from "./race.ts";

/** What each request may be told, whoever comes first. */
const allowed: readonly { readonly path: RegExp; readonly statuses: readonly number[] }[] = [
  { path: /^\/v1\/transactions$/, statuses: [201, 402, 409, 422] },
  { path: /\/batch$/, statuses: [201, 402, 409, 422] },
  { path: /^\/v1\/charges$/, statuses: [201, 409, 422] },
  { path: /\/pay$/, statuses: [200, 422] },
  { path: /\/refund$/, statuses: [200, 400, 422] },
];

interface Transaction {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: number;
}

/** Whoever won, the answers agree with one another, with the books, and with the balance. */
export async function judgeRace(
  raced: readonly Raced[],
  client: Client,
  funded: number,
): Promise<string[]> {
  const findings = [...judgeAnswers(raced), ...judgeKeys(raced)];
  const transfers = await judgeTransfers(raced, client, findings);
  const charges = await judgeCharges(raced, client, findings);
  const { balance } = await client.get("/v1/balance");
  if (balance !== funded - transfers + charges)
    findings.push(`the balance is ${balance}, not ${funded} - ${transfers} + ${charges}`);
  return findings;
}

function judgeAnswers(raced: readonly Raced[]): string[] {
  return raced
    .filter(({ call, outcome }) => {
      const rule = allowed.find(({ path }) => path.test(call.path));
      return outcome.kind === "unknown" || !rule?.statuses.includes(outcome.status);
    })
    .map(({ call, outcome }) => `${call.path} came to ${JSON.stringify(outcome)}`);
}

/** All that succeeded under one key were the same request and got the same answer. */
function judgeKeys(raced: readonly Raced[]): string[] {
  const answers = new Map<string, string>();
  const findings: string[] = [];
  for (const { call, outcome } of raced) {
    if (call.key === undefined || outcome.kind !== "ok") continue;
    const said = JSON.stringify([call, outcome.body]);
    const before = answers.get(call.key);
    if (before !== undefined && before !== said)
      findings.push(`the key ${call.key} was answered twice: ${before} and ${said}`);
    answers.set(call.key, said);
  }
  return findings;
}

/** Returns what transfers took from the account. */
async function judgeTransfers(
  raced: readonly Raced[],
  client: Client,
  findings: string[],
): Promise<number> {
  const ids = new Map<string, Set<string>>();
  const asked = new Set<string>();
  for (const { call, outcome } of raced) {
    if (!call.path.startsWith("/v1/transactions")) continue;
    const { body } = call as {
      body: { reference?: string; transactions?: { reference: string }[] };
    };
    for (const { reference } of body.transactions ?? [{ reference: body.reference ?? "" }])
      asked.add(reference);
    if (outcome.kind !== "ok") continue;
    for (const { reference, id } of outcome.body.transactions ?? [outcome.body])
      ids.set(reference, (ids.get(reference) ?? new Set()).add(id));
  }
  let spent = 0;
  for (const reference of asked) {
    const told = [...(ids.get(reference) ?? [])];
    const { data } = await client.get(`/v1/transactions?reference=${reference}`);
    const found = (data as { id: string }[]).map(({ id }) => id);
    if (JSON.stringify(found) !== JSON.stringify(told))
      findings.push(`${reference} was accepted as ${told.join()}, found as ${found.join()}`);
    for (const { status, totalAmount } of data) spent += status === "completed" ? totalAmount : 0;
  }
  return spent;
}

/** Returns what charges brought, refunds taken off. */
async function judgeCharges(
  raced: readonly Raced[],
  client: Client,
  findings: string[],
): Promise<number> {
  const ids = new Map<string, Set<string>>();
  const moves = new Map<string, Set<string>>();
  for (const { call, outcome } of raced) {
    if (!call.path.startsWith("/v1/charges") || outcome.kind !== "ok") continue;
    const { externalId, id, transactions } = outcome.body;
    ids.set(externalId, (ids.get(externalId) ?? new Set()).add(id));
    const own = moves.get(id) ?? new Set();
    // An answer ends with the payment or refund that it is the answer to.
    if (call.path !== "/v1/charges") own.add(transactions.at(-1).id);
    moves.set(id, own);
  }
  let brought = 0;
  for (const [externalId, known] of ids) {
    if (known.size !== 1) findings.push(`${externalId} was created as ${[...known].join()}`);
    for (const id of known) {
      const charge = await client.get(`/v1/charges/${id}`);
      const transactions = charge.transactions as Transaction[];
      const paid = transactions.filter(isPayment).length;
      const refunded = transactions
        .filter(({ type }) => type === "refund")
        .reduce((sum, { amount }) => sum + amount, 0);
      const isTold = transactions.every((one) => moves.get(id)?.has(one.id) === true);
      if (!isTold || transactions.length !== moves.get(id)?.size)
        findings.push(`${externalId} has other payments and refunds than its callers were told of`);
      if (paid > 1) findings.push(`${externalId} was paid ${paid} times`);
      if (refunded !== charge.refunded || refunded > charge.paid)
        findings.push(`${externalId} gave back ${refunded}, says ${charge.refunded}`);
      brought += charge.paid - feeLeft(charge) - refunded;
    }
  }
  return brought;
}

/** What is left of the fee: none of an unpaid charge, and its share after refunds. */
function feeLeft({
  amount,
  paid,
  refunded,
}: Record<"amount" | "paid" | "refunded", number>): number {
  if (paid === 0) return 0;
  const fee = chargeFeeOf(amount);
  return fee - Math.floor((2 * fee * refunded + amount) / (2 * amount));
}

function isPayment({ type, status }: Transaction): boolean {
  return type === "payment" && status === "completed";
}
