import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ChargeClient, decliner } from "../charges.ts";
import { test } from "../fixtures.ts";
import { PayPage, textOf } from "../pay-page.ts";
import { patience, startReceiver, subscribe } from "../receiver.ts";
import { storedRows } from "./stored-rows.ts";

const markBytes = 16;

test("a copy of the database opens no payment page: no table holds a link, a part of one, or anything made of one", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  // A receiver that sends back what it is sent: the answer is kept in the delivery log.
  const echo = await startReceiver((received, response) => response.end(received.raw));
  await subscribe(service, company, echo.url, ["charge/events"]);
  const links: string[] = [];
  const keep = (answer: { readonly body: { readonly paymentUrl?: string } }) => {
    links.push(String(answer.body.paymentUrl));
    return answer;
  };

  const created = keep(await charges.create({}, { "idempotency-key": "order 1" }));
  keep(await charges.create({}, { "idempotency-key": "order 1" }));
  keep(await charges.create({ externalId: "order-2" }));
  const { id } = created.body as { id: string };
  keep(await charges.get(id));
  for (const charge of (await charges.list()).body.data) keep({ body: charge });
  const page = new PayPage(service, new URL(String(created.body.paymentUrl)).pathname);
  expect(textOf((await page.get()).html)).toContain("Order 1");
  await page.codeFor("2250700000000");
  keep(await charges.pay(id, decliner, { "idempotency-key": "pay 1" }));
  keep(await charges.pay(id, undefined, { "idempotency-key": "pay 2" }));
  keep(await charges.refund(id, { amount: 1_000 }, { "idempotency-key": "refund 1" }));
  await expect.poll(() => echo.received.length, patience).toBeGreaterThanOrEqual(2);
  await expect
    .poll(async () => db.database.query({ text: "select 1 from claims", values: [] }), patience)
    .toEqual([]);

  const tokens = new Set(
    links.filter((link) => link.includes("/pay/")).map((link) => link.split("/pay/")[1] ?? ""),
  );
  expect(tokens.size).toBe(2);
  const stored = (await storedRows(db.database)).map((row) => row.toLowerCase());
  expect(stored.some((row) => row.startsWith("idempotency_keys:"))).toBe(true);
  for (const token of tokens)
    for (const form of formsOf(token))
      expect(stored.filter((row) => row.includes(form.toLowerCase()))).toEqual([]);
});

/** The token and its secret part, each as it is and as somebody might have kept it instead. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token, "base64url");
  return [bytes, bytes.subarray(-markBytes), Buffer.from(token)].flatMap((secret) => [
    ...(["hex", "base64", "base64url"] as const).map((encoding) => secret.toString(encoding)),
    ...["sha256", "sha1", "md5"].map((hash) => createHash(hash).update(secret).digest("hex")),
    token,
  ]);
}
