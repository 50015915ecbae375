import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { failingMsisdn } from "./blueprint.ts";
import { demand } from "./client.ts";

const payingMsisdn = "2250700000000";
const settledTriesMax = 600;

/** How many events the belongings below give rise to. */
const eventsByTopic: Readonly<Record<string, number>> = {
  "transactions/completed": 5,
  "transactions/failed": 1,
  "batches/completed": 2,
  "charge/events": 5,
};

/** What a company has, by kind of thing: the name of its collection in the address. */
export type Belongings = Readonly<Record<string, readonly string[]>>;

/** Where notifications go: taken, and forgotten. */
export interface Sink {
  readonly url: string;
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Gives a company some of everything there is, in every state that can be reached by asking, and waits until
 * nothing moves any more. `mark` stands in every text it writes.
 */
export async function makeBelongings(
  url: string,
  token: string,
  mark: string,
  sink: Sink,
): Promise<Belongings> {
  const make = async (path: string, body?: unknown, headers?: Record<string, string>) =>
    (
      await demand(url, "POST", path, {
        token,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      })
    ).body;
  const webhooks = [];
  for (const topic of Object.keys(eventsByTopic))
    webhooks.push(await make("/v1/webhooks", { topic, url: `${sink.url}/${mark}` }));
  const subs = [];
  for (const name of ["first", "second"])
    subs.push(
      await make("/v1/sub-companies", {
        name: `${mark} ${name}`,
        logoUrl: `${sink.url}/${mark}.png`,
      }),
    );

  const transfer = (name: string, more: object = {}) => ({
    type: "transfer",
    amount: 5_000,
    msisdn: payingMsisdn,
    reference: `${mark}-${name}`,
    description: mark,
    metadata: { mark },
    ...more,
  });
  const key = { "idempotency-key": mark };
  const transfers = [
    await make("/v1/transactions", transfer("sent"), key),
    await make("/v1/transactions", transfer("failed", { msisdn: failingMsisdn })),
  ];
  const batches = [];
  for (const name of ["batch", "batch again"])
    batches.push(
      await make("/v1/transactions/batch", {
        subCompanyId: subs[0].id,
        transactions: [transfer(`${name} 1`), transfer(`${name} 2`)],
      }),
    );

  const charges = [];
  for (const name of ["due", "paid", "refunded in part", "refunded"]) {
    const charge = await make("/v1/charges", {
      amount: 5_000,
      externalId: `${mark}-${name}`,
      description: mark,
      onCanceledRedirectionUrl: `${sink.url}/${mark}`,
      onCompletedRedirectionUrl: `${sink.url}/${mark}`,
      metadata: { mark },
    });
    if (name !== "due")
      await make(`/v1/charges/${charge.id}/pay`, { recipientMsisdn: payingMsisdn });
    if (name.startsWith("refunded"))
      await make(
        `/v1/charges/${charge.id}/refund`,
        name === "refunded" ? undefined : { amount: 2_000 },
      );
    charges.push(charge);
  }
  await untilSettled(url, token);
  const delivered = [];
  for (const { id, topic } of webhooks)
    delivered.push(await deliveredTo(url, token, id, eventsByTopic[topic] ?? 0));
  const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id);
  return {
    transactions: idsOf(transfers),
    batches: idsOf(batches),
    charges: idsOf(charges),
    "sub-companies": idsOf(subs),
    webhooks: idsOf(webhooks),
    // Those of the first webhook: a delivery is asked for together with its webhook.
    deliveries: delivered[0] ?? [],
  };
}

export async function untilSettled(url: string, token: string): Promise<void> {
  await until(async () => {
    const { body } = await demand(url, "GET", "/v1/transactions?status=pending&limit=1", { token });
    return body.count === 0;
  }, "transfers are still pending");
}

/** A webhook's deliveries, once all of them are made. */
async function deliveredTo(
  url: string,
  token: string,
  webhookId: string,
  count: number,
): Promise<string[]> {
  let ids: string[] = [];
  await until(async () => {
    const path = `/v1/webhooks/${webhookId}/deliveries?limit=100`;
    const { body } = await demand(url, "GET", path, { token });
    const rows = body.data as readonly { id: string; status: string }[];
    ids = rows.map(({ id }) => id);
    return rows.length >= count && rows.every(({ status }) => status === "delivered");
  }, "notifications are still on their way");
  return ids;
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (let tries = 0; tries < settledTriesMax; tries += 1) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error(otherwise);
}
