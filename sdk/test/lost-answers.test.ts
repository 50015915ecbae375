import { NotFoundError } from "@cauri/sdk";
import { expect, onTestFinished } from "vitest";
import { chargeRequest, payer } from "../../test/charges.ts";
import { auditDifferences, test, untilSettled } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { clientOf, failureOf } from "./client.ts";

/** The service, through a network whose every fault the test decides. */
async function proxyBefore(url: string): Promise<TcpProxy> {
  const proxy = await TcpProxy.before(url);
  onTestFinished(() => proxy.close());
  return proxy;
}

test("answers that are lost on the way: each payment was made once, and the call returns it", async ({
  service,
  company,
  db,
}) => {
  const proxy = await proxyBefore(service.url);
  const { cauri, sent } = clientOf({ url: proxy.rewrite(service.url) }, company, {
    timeoutMs: 1_500,
    retries: 6,
  });
  const charge = await cauri.charges.create(chargeRequest);
  await cauri.charges.pay(charge.id, { recipientMsisdn: payer });
  sent.length = 0;

  proxy.isDeaf = true;
  const calls = Promise.all([
    cauri.transfers.create({ amount: 5_000, msisdn: payer, reference: "one" }),
    cauri.charges.refund(charge.id, { amount: 1_000 }),
    cauri.subCompanies.create({ name: "Awa", logoUrl: "https://awa.example/logo.png" }),
  ]);
  const paths = ["/v1/transactions", `/v1/charges/${charge.id}/refund`, "/v1/sub-companies"];
  const attemptsAt = (path: string) => sent.filter((one) => one.path === path);
  const fewest = () => Math.min(...paths.map((path) => attemptsAt(path).length));
  await expect.poll(fewest, patience).toBeGreaterThan(1);
  proxy.isDeaf = false;
  const [transfer, refunded] = await calls;

  for (const path of paths) {
    const keys = attemptsAt(path).map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  }
  expect(refunded.refunded).toBe(1_000);
  expect((await cauri.charges.get(charge.id)).refunded).toBe(1_000);
  const transfers = await cauri.transfers.list().page();
  expect(transfers.data.map(({ id }) => id)).toEqual([transfer.id]);
  expect((await cauri.subCompanies.list().page()).count).toBe(1);
  await untilSettled(db.database);
  expect((await cauri.balance()).balance).toBe(1_000_000 + 10_000 - 1_000 - 5_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("connections that are cut again and again: forty transfers are forty, and the books say so", async ({
  service,
  company,
  db,
}) => {
  const proxy = await proxyBefore(service.url);
  const { cauri, sent } = clientOf({ url: proxy.rewrite(service.url) }, company, {
    timeoutMs: 5_000,
    retries: 12,
    pauseMaxMs: 200,
  });
  const cutting = setInterval(() => proxy.cut(), 30);
  onTestFinished(() => clearInterval(cutting));

  const calls = Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      cauri.transfers.create({ amount: 5_000, msisdn: payer, reference: `r${index}` }),
    ),
  );
  await expect.poll(() => sent.length, patience).toBeGreaterThan(80);
  clearInterval(cutting);
  const made = await calls;

  expect(new Set(made.map(({ id }) => id)).size).toBe(40);
  await untilSettled(db.database);
  expect((await cauri.balance()).balance).toBe(1_000_000 - 40 * 5_000);
  expect(await auditDifferences(db.database)).toEqual([]);
});

test("a webhook whose deletion was not heard of is gone, and the call says so; one that never was is not found", async ({
  service,
  company,
}) => {
  let lost = 0;
  const { cauri } = clientOf(service, company, {
    fetch: async (...request) => {
      const response = await fetch(...request);
      lost += 1;
      if (lost === 2) throw new TypeError("the answer was lost");
      return response;
    },
  });
  const { id } = await cauri.webhooks.create({ topic: "charge/events", url: service.url });

  await cauri.webhooks.delete(id);

  expect(lost).toBe(3);
  expect((await cauri.webhooks.list().page()).count).toBe(0);
  expect(await failureOf(cauri.webhooks.delete(id))).toBeInstanceOf(NotFoundError);
});
