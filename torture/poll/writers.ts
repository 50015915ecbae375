import { chargeRequest } from "../traffic/charge-request.ts";
import type { Client } from "../traffic/client.ts";

/** Ids of everything that was acknowledged, by the list that must show it. */
export interface Added {
  readonly "/v1/transactions": Set<string>;
  readonly "/v1/charges": Set<string>;
}

const batchSize = 1_500;
const anybody = "2250700000000";

export interface Writing {
  readonly added: Added;
  /** Unique among all that write. */
  readonly name: string;
  readonly client: Client;
}

export async function addTransfer({ added, name, client }: Writing, count: number): Promise<void> {
  const body = transferOf(`${name}-${count}`);
  const answer = await client.send({ method: "POST", path: "/v1/transactions", body });
  if (answer.kind === "ok") added["/v1/transactions"].add(answer.body.id);
}

/** False when it was refused for now and has to be sent again. */
export async function addBatch({ added, name, client }: Writing, count: number): Promise<boolean> {
  const transactions = Array.from({ length: batchSize }, (_, row) =>
    transferOf(`${name}-batch-${count}-${row}`),
  );
  const path = "/v1/transactions/batch";
  const answer = await client.send({ method: "POST", path, body: { transactions } });
  if (answer.kind !== "ok") return answer.kind === "unknown" || answer.status !== 503;
  for (const { id } of answer.body.transactions as { id: string }[])
    added["/v1/transactions"].add(id);
  return true;
}

export async function addCharge({ added, name, client }: Writing, count: number): Promise<void> {
  const body = chargeRequest(`${name}-${count}`, 10_000);
  const answer = await client.send({ method: "POST", path: "/v1/charges", body });
  if (answer.kind === "ok") added["/v1/charges"].add(answer.body.id);
}

function transferOf(reference: string) {
  return { type: "transfer", reference, amount: 5_000, msisdn: anybody };
}
