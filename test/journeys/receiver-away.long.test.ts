import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { makeCompany, type TestDatabase, test } from "../fixtures.ts";
import { type Receiver, startReceiver, subscribe } from "../receiver.ts";

/**
 * AWAY_SECONDS and AWAY_TRANSFERS try other outages, and the time after which everything had arrived is printed with them.
 * Without them nothing is measured: a busy machine takes as long as it takes.
 */
const awaySeconds = Number(process.env["AWAY_SECONDS"] ?? 5);
const transfers = Number(process.env["AWAY_TRANSFERS"] ?? 300);
const patienceMs = 600_000;

test("a receiver that is away while a payroll is paid hears of everything when it is back, once and in order; another one notices nothing", {
  timeout: awaySeconds * 1_000 + 2 * patienceMs,
}, async ({ db, service }) => {
  const company = await makeCompany(db.database, { fund: 5_000 * transfers });
  let isAway = false;
  const [receiver, witness] = [
    await startReceiver((_received, response) => {
      if (isAway) response.destroy();
      else response.writeHead(200).end();
    }),
    await startReceiver(),
  ];
  for (const { url } of [receiver, witness])
    await subscribe(service, company, url, ["transactions/started", "transactions/completed"]);
  await expect.poll(() => receiver.tests.length + witness.tests.length).toBe(2);

  isAway = true;
  const answer = await service.call("POST", "/v1/transactions/batch", {
    token: company.accessToken,
    body: {
      transactions: Array.from({ length: transfers }, (_, place) => ({
        amount: 5_000,
        msisdn: "2250700000000",
        reference: `r${place}`,
      })),
    },
  });
  expect(answer.status).toBe(201);
  await sleep(awaySeconds * 1_000);
  await witness.until(2 * transfers, patienceMs);
  const pauses = await openFor(db);
  expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(Math.max(30, awaySeconds / 2));

  const failed = receiver.received.length;
  isAway = false;
  const backAt = Date.now();
  await receiver.until(failed + 2 * transfers, patienceMs);
  if (process.env["AWAY_SECONDS"] !== undefined)
    console.info(
      `${2 * transfers} notifications, away for ${awaySeconds} s: the first ${(((receiver.received[failed]?.atMs ?? 0) - backAt) / 1_000).toFixed(1)} s, the last ${((Date.now() - backAt) / 1_000).toFixed(1)} s after it was back; ${failed} requests failed`,
    );
  for (const heard of [orderOf(receiver, failed), orderOf(witness, 0)]) {
    expect(heard.size).toBe(transfers);
    for (const topics of heard.values())
      expect(topics).toEqual(["transactions/started", "transactions/completed"]);
  }
});

/** The topics that were told of each transfer, in their order. */
function orderOf({ received }: Receiver, from: number): Map<string, string[]> {
  const heard = new Map<string, string[]>();
  for (const { body } of received.slice(from)) {
    const reference = String(body.data.reference);
    heard.set(reference, [...(heard.get(reference) ?? []), body.topic]);
  }
  return heard;
}

async function openFor({ database }: TestDatabase): Promise<number[]> {
  const rows = await database.query<{ seconds: number }>(sql`
    select extract(epoch from open_until - now())::float8 as seconds from endpoints where opened_at is not null`);
  return rows.map(({ seconds }) => seconds);
}
