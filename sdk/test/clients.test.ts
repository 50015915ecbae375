import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { packageRoot } from "../../src/kernel/root.ts";
import { chargeRequest, decliner, payer } from "../../test/charges.ts";
import { auditDifferences, makeCompany, test, untilSettled } from "../../test/fixtures.ts";
import { languageNames, whyMissing } from "../../test/languages.ts";
import { startReceiver } from "../../test/receiver.ts";
import { Driver } from "./driver.ts";
import { type Passed, Recorder } from "./recorder.ts";

function transferTo(msisdn: string, reference: string, amount = 5_000) {
  return { amount, msisdn, reference };
}

describe.for(languageNames)("the client for %s, against the real service", (language) => {
  test("makes every operation of the document, and gives what was answered", async ({
    service,
    company,
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const recorder = await Recorder.before(service.url);
    const driver = Driver.start(language, { url: recorder.url, token: company.accessToken });
    const logoUrl = "https://awa.example/logo.png";

    const made = await driver.call("transfers.create", [
      {
        ...transferTo(payer, "one"),
        description: "Salaire d'août — é",
        metadata: { row: [1, "é"] },
      },
    ]);
    expect(made).toMatchObject({
      status: "pending",
      reference: "one",
      metadata: { row: [1, "é"] },
    });
    const settled = await driver.call("transfers.waitUntilSettled", [made.id]);
    expect(settled.status).toBe("completed");
    expect((await driver.call("transfers.get", [made.id])).id).toBe(made.id);
    expect(await driver.call("transfers.lookUp", [["one", "never"]])).toMatchObject([
      { id: made.id },
    ]);

    const transactions = Array.from({ length: 7 }, (_, row) =>
      transferTo(row === 3 ? decliner : payer, `r${row}`),
    );
    const batch = await driver.call("batches.create", [{ transactions }]);
    expect((await driver.call("batches.waitUntilSettled", [batch.id])).status).toBe(
      "partially_completed",
    );
    const failed = await driver.call("batches.transfers", [batch.id, { status: "failed" }]);
    expect(failed).toMatchObject([{ reference: "r3" }]);
    expect(await driver.call("batches.list")).toMatchObject([{ id: batch.id }]);
    const listed = await driver.call("transfers.list", [{ limit: 3 }]);
    expect(listed.map((one: { reference: string }) => one.reference).toSorted()).toEqual(
      ["one", ...transactions.map(({ reference }) => reference)].toSorted(),
    );
    const page = await driver.call("transfers.list", [{ limit: 3 }], {}, { page: true });
    expect(page).toMatchObject({ count: 3, cursor: { next: expect.any(String) } });

    const charge = await driver.call("charges.create", [chargeRequest]);
    const paid = await driver.call("charges.pay", [charge.id, { recipientMsisdn: payer }]);
    expect(paid.status).toBe("paid");
    const refunded = await driver.call("charges.refund", [charge.id, { amount: 4_000 }]);
    expect(refunded).toMatchObject({ status: "refunded_partially", refunded: 4_000 });
    expect((await driver.call("charges.refund", [charge.id])).refunded).toBe(10_000);
    expect((await driver.call("charges.get", [charge.id])).status).toBe("refunded");
    expect(await driver.call("charges.list", [{ externalId: "order-1" }])).toHaveLength(1);

    expect((await driver.call("customers.check", ["2250999999999"])).kycStatus).toBe("unknown");
    expect(await driver.call("customers.checkMany", [[payer]])).toMatchObject([{ msisdn: payer }]);
    const sub = await driver.call("subCompanies.create", [{ name: "Boutique Awa", logoUrl }]);
    expect(await driver.call("subCompanies.update", [sub.id, { isActive: false }])).toMatchObject({
      name: "Boutique Awa",
      isActive: false,
    });
    expect((await driver.call("subCompanies.get", [sub.id])).isActive).toBe(false);
    expect(await driver.call("subCompanies.list")).toHaveLength(1);

    expect((await driver.call("balance")).currency).toBe("XOF");
    expect((await driver.call("company")).name).toBe("Test");
    expect((await driver.call("ledgerKeys")).algorithm).toBe("Ed25519");
    const lines = await driver.call("statement.lines", [{ limit: 2 }]);
    expect(lines[0].kind).toBe("funding");
    expect(await driver.call("statement.seals")).toEqual([]);
    for (const [format, start] of Object.entries({ csv: "kind", xlsx: "PK", pdf: "%PDF" })) {
      const file = await driver.call("statement.export", [format, { lang: "en" }]);
      expect(file.contentType).not.toBe("");
      expect(file.start).toContain(start);
    }

    const receiver = await startReceiver();
    const topic = "transactions/completed";
    const webhook = await driver.call("webhooks.create", [{ topic, url: receiver.url }]);
    await driver.call("transfers.create", [transferTo(payer, "two")]);
    await receiver.until(1);
    await expect
      .poll(async () => (await driver.call("webhooks.deliveries", [webhook.id]))[0]?.status)
      .toBe("delivered");
    const [delivery] = await driver.call("webhooks.deliveries", [webhook.id]);
    const again = await driver.call("webhooks.redeliver", [webhook.id, delivery.id]);
    expect(again.id).toBe(delivery.id);
    expect((await driver.call("webhooks.get", [webhook.id])).topic).toBe(topic);
    expect(await driver.call("webhooks.list")).toHaveLength(1);
    await driver.call("webhooks.delete", [webhook.id]);
    expect((await driver.failure("webhooks.get", [webhook.id])).kind).toBe("not_found");

    const events = await driver.call("webhooks.events", [{ limit: 2 }]);
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      events.map((_: unknown, index: number) => index + 1),
    );
    const after = String(events.length);
    const following = driver.call("webhooks.events", [{ after, wait: 30 }], {}, { take: 1 });
    const other = Driver.start(language, { url: service.url, token: company.accessToken });
    await other.call("transfers.create", [transferTo(payer, "three")]);
    expect(await following).toMatchObject([
      { sequence: events.length + 1, topic: "transactions/started" },
    ]);

    const raw = await driver.call("request", ["GET", "/v1/transactions"], { query: { limit: 1 } });
    expect(raw).toMatchObject({ status: 200, body: { count: 1 } });
    expect(missingOperations(recorder.passed)).toEqual([]);
    expect(driver.said).not.toContain(company.accessToken);
  });

  test("each refusal is an exception of its kind, with code, details and the request's name", async ({
    service,
    company,
    db,
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const token = company.accessToken;
    const driver = Driver.start(language, { url: service.url, token, client: { language: "fr" } });
    const poor = await makeCompany(db.database, { fund: 0 });

    const made = await driver.call("transfers.create", [transferTo(payer, "one")]);
    const conflict = await driver.failure("transfers.create", [transferTo(payer, "one")]);
    expect(conflict).toMatchObject({
      kind: "conflict",
      status: 409,
      code: "duplicate_reference",
      existingId: made.id,
      correlationId: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(conflict.message).toContain("porte déjà la référence");
    const funds = await driver.failure(
      "transfers.create",
      [transferTo(payer, "two")],
      {},
      {
        token: poor.accessToken,
      },
    );
    expect(funds.kind).toBe("insufficient_funds");
    const rows = { transactions: [transferTo(payer, "a"), transferTo("12", "b")] };
    const invalid = await driver.failure("batches.create", [rows]);
    expect(invalid).toMatchObject({ kind: "invalid_request", details: [{ index: 1 }] });
    const stranger = await driver.failure("balance", [], {}, { token: "at_nobody" });
    expect(stranger.kind).toBe("authentication");
    const client = { companyId: poor.id };
    expect((await driver.failure("balance", [], {}, { client })).kind).toBe("forbidden");
    const named = { correlationId: "mine:7" };
    const none = await driver.failure("transfers.get", ["txn_nothing"], named);
    expect(none).toMatchObject({ kind: "not_found", correlationId: "mine:7" });
    const key = { idempotencyKey: "payroll 2026-11, row 7" };
    const first = await driver.call("transfers.create", [transferTo(payer, "k")], key);
    expect(await driver.call("transfers.create", [transferTo(payer, "k")], key)).toEqual(first);
    const reused = await driver.failure("transfers.create", [transferTo(payer, "l")], key);
    expect(reused.kind).toBe("idempotency_key_reused");
  });

  // Guards the money: an answer that is lost must never become a second payment.
  test("answers that are lost: one transfer, one refund, one webhook, each under one key", async ({
    service,
    company,
    db,
    skip,
  }) => {
    const missing = whyMissing(language);
    if (missing !== undefined) skip(missing);
    const recorder = await Recorder.before(service.url);
    const token = company.accessToken;
    const start = () => Driver.start(language, { url: recorder.url, token });
    const driver = start();
    const charge = await driver.call("charges.create", [chargeRequest]);
    await driver.call("charges.pay", [charge.id, { recipientMsisdn: payer }]);
    recorder.passed.length = 0;

    recorder.losing = 2;
    const made = await driver.call("transfers.create", [transferTo(payer, "one")]);
    recorder.losing = 2;
    const refunded = await driver.call("charges.refund", [charge.id, { amount: 1_000 }]);
    expect(refunded.refunded).toBe(1_000);
    for (const path of ["/v1/transactions", `/v1/charges/${charge.id}/refund`]) {
      const keys = recorder.passed.filter((one) => one.path === path).map(({ key }) => key);
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    }

    recorder.losing = 1;
    const unknown = await driver.failure("transfers.create", [transferTo(payer, "two")], {
      retries: 0,
    });
    expect(unknown.kind).toBe("outcome_unknown");
    const again = { idempotencyKey: unknown.idempotencyKey };
    const second = await driver.call("transfers.create", [transferTo(payer, "two")], again);
    // Several at once under one key, and half of the answers are lost.
    recorder.losing = 3;
    const racers = Array.from({ length: 4 }, start);
    const race = { idempotencyKey: "race" };
    const raced = await Promise.all(
      racers.map((one) => one.call("transfers.create", [transferTo(payer, "three")], race)),
    );
    expect(new Set(raced.map(({ id }) => id)).size).toBe(1);

    const webhook = await driver.call("webhooks.create", [
      { topic: "charge/events", url: service.url },
    ]);
    recorder.losing = 1;
    await driver.call("webhooks.delete", [webhook.id]);
    expect(await driver.call("webhooks.list")).toEqual([]);

    const all = await driver.call("transfers.list");
    expect(all.map(({ id }: { id: string }) => id)).toEqual([raced[0]?.id, second.id, made.id]);
    await untilSettled(db.database);
    expect((await driver.call("balance")).balance).toBe(1_000_000 + 10_000 - 1_000 - 15_000);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});

function missingOperations(passed: readonly Passed[]): object[] {
  const document = JSON.parse(readFileSync(join(packageRoot, "docs/openapi.json"), "utf8"));
  const operations = Object.entries(document.paths as Record<string, object>)
    .filter(([path]) => /^\/(?:v1|\.well-known)\//.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })));
  expect(operations.length).toBeGreaterThan(25);
  return operations.filter(({ method, path }) => {
    const shape = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
    return !passed.some((one) => one.method === method.toUpperCase() && shape.test(one.path));
  });
}
