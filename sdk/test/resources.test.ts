import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@cauri/sdk";
import { describe, expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { chargeRequest, decliner, payer } from "../../test/charges.ts";
import { test, untilSettled } from "../../test/fixtures.ts";
import { passDays } from "../../test/history.ts";
import { startReceiver } from "../../test/receiver.ts";
import { sealAll, sealingOf } from "../../test/seals.ts";
import { clientOf, failureOf, type Sent } from "./client.ts";

/** Every request that a test of this file has sent, to see at the end that none of the API was left out. */
const everySent: Sent[] = [];

function transferTo(msisdn: string, reference: string, amount = 5_000) {
  return { amount, msisdn, reference };
}

describe("against the real service", () => {
  test("transfers: sent, read, listed, looked up, and waited for", async ({ service, company }) => {
    const { cauri, sent } = clientOf(service, company);

    const made = await cauri.transfers.create({
      ...transferTo(payer, "one"),
      metadata: { employee: "117" },
    });
    expect(made).toMatchObject({ status: "pending", reference: "one", type: "transfer" });
    expect(await cauri.transfers.waitUntilSettled(made.id)).toMatchObject({
      id: made.id,
      status: "completed",
      metadata: { employee: "117" },
    });
    const failing = await cauri.transfers.create(transferTo(decliner, "two"));
    const failed = await cauri.transfers.waitUntilSettled(failing.id);
    expect(failed.status).toBe("failed");
    expect(failed.failureReason).not.toBeNull();

    const page = await cauri.transfers.list({ status: "failed" }).page();
    expect(page.data.map(({ id }) => id)).toEqual([failing.id]);
    const found = await cauri.transfers.lookUp(["one", "never sent"]);
    expect(found.map(({ id }) => id)).toEqual([made.id]);
    expect((await cauri.transfers.get(made.id)).id).toBe(made.id);
    everySent.push(...sent);
  });

  test("a list is followed to its end, in pages that are asked for when they are needed", async ({
    service,
    company,
  }) => {
    const { cauri, sent } = clientOf(service, company);
    const transactions = Array.from({ length: 7 }, (_, index) => transferTo(payer, `r${index}`));
    await cauri.batches.create({ transactions });
    sent.length = 0;

    const references: string[] = [];
    for await (const { reference } of cauri.transfers.list({ limit: 3 }))
      references.push(reference);
    expect(references.toSorted()).toEqual(transactions.map(({ reference }) => reference));
    expect(sent).toHaveLength(3);

    const sizes: number[] = [];
    for await (const { count } of cauri.transfers.list({ limit: 3 }).pages()) sizes.push(count);
    expect(sizes).toEqual([3, 3, 1]);

    sent.length = 0;
    for await (const { reference } of cauri.transfers.list({ limit: 3 })) {
      expect(references[0]).toBe(reference);
      break;
    }
    expect(sent).toHaveLength(1);

    const first = await cauri.transfers.list({ limit: 3 }).page();
    const kept = first.cursor.next ?? "";
    const second = await cauri.transfers.list({ limit: 3 }).page(kept);
    const same = await cauri.transfers.list({ limit: 3, cursor: kept }).page();
    expect(second).toEqual(same);
    expect(second.data[0]?.reference).toBe(references[3]);
  });

  test("batches: sent as a whole, followed to their end, and read in parts", async ({
    service,
    company,
  }) => {
    const { cauri, sent } = clientOf(service, company);

    const batch = await cauri.batches.create({
      transactions: [transferTo(payer, "a"), transferTo(decliner, "b")],
    });
    expect(batch.status).toBe("processing");
    expect((await cauri.batches.waitUntilSettled(batch.id)).status).toBe("partially_completed");
    const failed = await cauri.batches.transfers(batch.id, { status: "failed" }).page();
    expect(failed.data.map(({ reference }) => reference)).toEqual(["b"]);
    const all = await cauri.batches.list().page();
    expect(all.data.map(({ id }) => id)).toEqual([batch.id]);

    const refused = await failureOf(
      cauri.batches.create({ transactions: [transferTo(payer, "c", 1), transferTo(payer, "a")] }),
    );
    expect(refused).toBeInstanceOf(sdk.InvalidRequestError);
    expect((refused as sdk.InvalidRequestError).details[0]).toMatchObject({ index: 0 });
    everySent.push(...sent);
  });

  test("charges: asked for, paid, and given back in parts and in whole", async ({
    service,
    company,
  }) => {
    const { cauri, sent } = clientOf(service, company);

    const charge = await cauri.charges.create(chargeRequest);
    expect(charge).toMatchObject({ status: "created", amount: 10_000 });
    const declined = await cauri.charges.pay(charge.id, { recipientMsisdn: decliner });
    expect(declined).toMatchObject({ status: "due", attempts: 1 });
    const paid = await cauri.charges.pay(charge.id, { recipientMsisdn: payer });
    expect(paid.status).toBe("paid");
    expect(paid.webRedirectionUrl).toContain("https://shop.example/thanks");
    const part = await cauri.charges.refund(charge.id, { amount: 4_000 });
    expect(part).toMatchObject({ status: "refunded_partially", refunded: 4_000 });
    const whole = await cauri.charges.refund(charge.id);
    expect(whole).toMatchObject({ status: "refunded", refunded: 10_000 });
    expect((await cauri.charges.get(charge.id)).status).toBe("refunded");
    const listed = await cauri.charges.list({ externalId: "order-1" }).page();
    expect(listed.data.map(({ id }) => id)).toEqual([charge.id]);
    everySent.push(...sent);
  });

  test("customers, balance, company and the operator's keys are read", async ({
    service,
    company,
  }) => {
    const { id, name } = await clientOf(service, company).cauri.company();
    expect(name).toBe("Test");
    const { cauri, sent } = clientOf(service, company, { companyId: id });

    expect(await cauri.balance()).toEqual({ balance: 1_000_000, currency: "XOF" });
    expect((await cauri.company()).id).toBe(id);
    expect((await cauri.customers.check("2250999999999")).kycStatus).toBe("unknown");
    const [person] = await cauri.customers.checkMany([payer]);
    expect(person?.msisdn).toBe(payer);
    expect((await cauri.ledgerKeys()).algorithm).toBe("Ed25519");
    expect(sent.every(({ headers }) => headers.get("x-company-id") === id)).toBe(true);
    everySent.push(...sent);
  });

  test("sub-companies: made, read, listed and changed", async ({ service, company }) => {
    const { cauri, sent } = clientOf(service, company);
    const logoUrl = "https://awa.example/logo.png";

    const made = await cauri.subCompanies.create({ name: "Boutique Awa", logoUrl });
    expect(await cauri.subCompanies.update(made.id, { isActive: false })).toMatchObject({
      name: "Boutique Awa",
      isActive: false,
    });
    expect((await cauri.subCompanies.get(made.id)).isActive).toBe(false);
    const listed = await cauri.subCompanies.list().page();
    expect(listed.data.map(({ id }) => id)).toEqual([made.id]);

    const refused = await failureOf(
      cauri.transfers.create({ ...transferTo(payer, "for awa"), subCompanyId: made.id }),
    );
    expect(refused).toBeInstanceOf(sdk.UnprocessableError);
    expect((refused as sdk.UnprocessableError).code).toBe("sub_company_inactive");
    everySent.push(...sent);
  });

  test("the statement: its lines, its days as they are sealed, and its files", async ({
    service,
    company,
    db,
  }) => {
    const { cauri, sent } = clientOf(service, company);
    await passDays(db.database, company.id, 2);
    await sealAll(await sealingOf(db), company.id);
    await cauri.transfers.create(transferTo(payer, "one"));
    await untilSettled(db.database);

    const kinds: string[] = [];
    for await (const { kind } of cauri.statement.lines({ limit: 1 })) kinds.push(kind);
    expect(kinds).toEqual(["funding", "transfer"]);
    const page = await cauri.statement.lines().page();
    expect(page).toMatchObject({ openingBalance: 0, closingBalance: 995_000 });

    const seals = await cauri.statement.seals().page();
    expect(seals.data.map(({ balance }) => balance)).toEqual([1_000_000]);

    for (const [format, start] of [
      ["csv", "kind"],
      ["xlsx", "PK"],
      ["pdf", "%PDF"],
    ] as const) {
      const { body, contentType } = await cauri.statement.export(format, { lang: "en" });
      const bytes = Buffer.from(await new Response(body).arrayBuffer());
      expect(contentType).not.toBe("");
      expect(bytes.subarray(0, 200).toString("latin1")).toContain(start);
    }
    everySent.push(...sent);
  });

  test("webhooks: made, read, told, told again, and deleted", async ({ service, company }) => {
    const { cauri, sent } = clientOf(service, company);
    const receiver = await startReceiver();

    const topic = "transactions/completed";
    const made = await cauri.webhooks.create({ topic, url: receiver.url });
    await cauri.transfers.create(transferTo(payer, "one"));
    await receiver.until(1);
    await expect
      .poll(async () => (await cauri.webhooks.deliveries(made.id).page()).data[0]?.status)
      .toBe("delivered");
    const [delivery] = (await cauri.webhooks.deliveries(made.id).page()).data;
    const again = await cauri.webhooks.redeliver(made.id, delivery?.id ?? "");
    expect(again.id).toBe(delivery?.id);
    await receiver.until(2);

    const { lastSequence, data } = await cauri.webhooks.events({ after: "0", wait: 30 }).page();
    expect(data.map((event) => event.topic)).toEqual(["transactions/started", topic]);
    const none = await cauri.webhooks.events({ topics: topic }).page(lastSequence);
    expect(none).toMatchObject({ count: 0, lastSequence: 2, hasMore: false });

    expect((await cauri.webhooks.get(made.id)).topic).toBe(topic);
    expect((await cauri.webhooks.list().page()).count).toBe(1);
    await cauri.webhooks.delete(made.id);
    expect(await failureOf(cauri.webhooks.get(made.id))).toBeInstanceOf(sdk.NotFoundError);
    everySent.push(...sent);
  });

  // Stands last, when all of the others have sent what they send.
  test("every operation of the document is one that the SDK makes", () => {
    const document = JSON.parse(readFileSync(join(packageRoot, "docs/openapi.json"), "utf8"));
    const paths = Object.entries(document.paths as Record<string, object>);
    const operations = paths
      .filter(([path]) => /^\/(?:v1|\.well-known)\//.test(path))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })));
    const missing = operations.filter(({ method, path }) => {
      const shape = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
      return !everySent.some((one) => one.method === method.toUpperCase() && shape.test(one.path));
    });

    expect(operations.length).toBeGreaterThan(25);
    expect(missing).toEqual([]);
  });
});
