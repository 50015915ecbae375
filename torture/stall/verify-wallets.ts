import { chargeRequest } from "../traffic/charge-request.ts";
import type { Client } from "../traffic/client.ts";
import { readList } from "../traffic/read-list.ts";

interface Transfer {
  readonly msisdn: string;
  readonly status: string;
  readonly amount: number;
}

interface Charge {
  readonly transactions: readonly {
    readonly recipientMsisdn: string;
    readonly type: "payment" | "refund";
    readonly status: string;
    readonly amount: number;
  }[];
}

/** What each wallet holds if the companies' own lists are true: transfers that were completed, less what was paid. */
export async function expectBalances(clients: readonly Client[]): Promise<Map<string, number>> {
  const balances = new Map<string, number>();
  const add = (msisdn: string, amount: number) =>
    balances.set(msisdn, (balances.get(msisdn) ?? 0) + amount);
  for (const client of clients) {
    for await (const { msisdn, status, amount } of readList<Transfer>(client, "/v1/transactions"))
      if (status === "completed") add(msisdn, amount);
    for await (const { transactions } of readList<Charge>(client, "/v1/charges"))
      for (const { recipientMsisdn, type, status, amount } of transactions)
        if (status === "completed") add(recipientMsisdn, type === "payment" ? -amount : amount);
  }
  return balances;
}

/**
 * Empties a wallet through payments, as its owner could: what it should hold can be paid, and not a franc more.
 * Nothing of the database is looked at, so no mistake in the books can hide one in a wallet.
 */
export async function findWrongWallet(
  payee: Client,
  msisdn: string,
  balance: number,
): Promise<string | undefined> {
  const all = balance === 0 || (await canPay(payee, "all", msisdn, balance));
  if (!all) return `a wallet should hold ${balance} and cannot pay that much: ${msisdn}`;
  const more = await canPay(payee, "more", msisdn, 1);
  return more ? `a wallet should hold ${balance} and can pay more: ${msisdn}` : undefined;
}

async function canPay(
  payee: Client,
  what: string,
  msisdn: string,
  amount: number,
): Promise<boolean> {
  const body = chargeRequest(`${what} of ${msisdn}`, amount);
  const { id } = await payee.demand({ method: "POST", path: "/v1/charges", body });
  const charge = await payee.demand({
    method: "POST",
    path: `/v1/charges/${id}/pay`,
    body: { recipientMsisdn: msisdn },
  });
  return charge.status === "paid";
}
