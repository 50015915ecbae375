import { expect } from "vitest";
import { ChargeClient, decliner, expire, paymentsOf } from "../../test/charges.ts";
import { test } from "../../test/fixtures.ts";
import { startReceiver } from "../../test/receiver.ts";
import { cancelCharge } from "./cancel-charge.ts";

test("paid, dropped, refunded_partially and refunded are told with exactly the fields of the interface", async ({
  db,
  service,
  company,
}) => {
  const receiver = await startReceiver();
  const token = company.accessToken;
  await service.call("POST", "/v1/webhooks", {
    token,
    body: { topic: "charge/events", url: receiver.url },
  });
  const shop = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: shop });
  const charges = new ChargeClient(service, company);
  const metadata = { b: 1, a: ["é", null] };
  const paid = await charges.made({ metadata, subCompanyId: sub.body.id });
  const facts = (id: string, externalId: string) => ({
    id,
    externalId,
    description: "Order 1",
    currency: "XOF",
    amount: 10_000,
    due: 10_000,
    status: "due",
    droppedReason: null,
    paid: 0,
    refunded: 0,
    attempts: 0,
    metadata: {},
  });

  await charges.pay(paid, decliner);
  await charges.pay(paid);
  await charges.refund(paid, { amount: 4_000 });
  await charges.refund(paid);
  await receiver.until(3);
  const whole = { ...facts(paid, "order-1"), due: 0, paid: 10_000, attempts: 2, metadata };
  expect(receiver.received.map(({ body }) => body)).toStrictEqual([
    { data: { ...whole, status: "paid" }, topic: "charge/events" },
    { data: { ...whole, status: "refunded_partially", refunded: 4_000 }, topic: "charge/events" },
    { data: { ...whole, status: "refunded", refunded: 10_000 }, topic: "charge/events" },
  ]);
  expect(JSON.stringify(receiver.received[0]?.body.data.metadata)).toBe(JSON.stringify(metadata));

  const expired = await charges.made({ externalId: "expired" });
  await expire(db, expired);
  await charges.get(expired);
  const cancelled = await charges.made({ externalId: "cancelled" });
  await cancelCharge(paymentsOf(db), company.id, cancelled);
  await cancelCharge(paymentsOf(db), company.id, cancelled);
  await receiver.until(5);
  const dropped = receiver.received.slice(3).map(({ body }) => body.data);
  expect(dropped.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))).toStrictEqual([
    { ...facts(cancelled, "cancelled"), status: "dropped", droppedReason: "CANCELED" },
    { ...facts(expired, "expired"), status: "dropped", droppedReason: "EXPIRED" },
  ]);
});

test("what became of charges is counted", async ({ db, service, company }) => {
  const charges = new ChargeClient(service, company);
  const id = await charges.made();
  await charges.pay(id, decliner);
  await charges.pay(id);
  await charges.refund(id, { amount: 1 });
  await charges.refund(id);
  const overdue = await charges.made({ externalId: "overdue" });
  await expire(db, overdue);
  await charges.get(overdue);

  const { body: text } = await service.call("GET", "/metrics");
  for (const outcome of ["DECLINED", "paid", "refunded_partially", "refunded", "EXPIRED"])
    expect(text).toContain(`cauri_charges_total{outcome="${outcome}"} 1\n`);
  expect(text).toContain("cauri_charge_set_size_count 2\n");
  expect(text).toContain('cauri_queue_companies{queue="charges"} 0\n');
});
