import type { FastifyRequest } from "fastify";
import { describe, expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import {
  auditDifferences,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { readLargeIdempotencyKey } from "./idempotency-key.ts";

const headers = { "idempotency-key": "k1" };

interface Asked {
  readonly path: string;
  /** As the router has it, where that is another. */
  readonly route?: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** As if the key had been kept for this body, which an earlier release accepted. */
async function keepFor({ database }: TestDatabase, asked: Asked, body: unknown): Promise<void> {
  const { path, route = path, params = {} } = asked;
  const request = { method: "POST", route: { url: route }, params, headers, body };
  const key = await readLargeIdempotencyKey(request as unknown as FastifyRequest);
  await database.query(sql`
    update idempotency_keys set request_hash = ${key?.requestHash} where key = 'k1'`);
}

function postTo(service: TestService, { accessToken: token }: TestCompany, path: string) {
  return (body: unknown, withKey = true) =>
    service.call("POST", path, { token, body, ...(withKey ? { headers } : {}) });
}

const row = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "r1" };

describe("what an earlier release accepted under a key is answered again, though it would be refused today", () => {
  test.for([
    ["a number with eight digits", { ...row, msisdn: "22997123456" }],
    ["a local number", { ...row, msisdn: "0700000000" }],
    ["another currency", { ...row, currency: "EUR" }],
  ] as const)("201: a transaction to %s", async ([, old], { db, service, company }) => {
    const path = "/v1/transactions";
    const post = postTo(service, company, path);
    const made = await post(row);
    await keepFor(db, { path }, old);

    const again = await post(old);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.body).toStrictEqual(made.body);
    expect((await post(old, false)).status).toBe(400);
    expect((await post({ ...old, amount: 6_000 })).status).toBe(400);
  });

  test.for([
    ["a number with eight digits", { msisdn: "22570102030" }],
    ["a reference with a blank behind it", { reference: "r1 " }],
    ["another currency", { currency: "EUR" }],
  ] as const)("201: a batch with %s", async ([, changes], { db, service, company }) => {
    const path = "/v1/transactions/batch";
    const post = postTo(service, company, path);
    const batch = (first: object) => ({
      transactions: [first, { ...row, reference: "r2" }],
    });
    const made = await post(batch(row));
    expect(made.status).toBe(201);
    await untilSettled(db.database);
    const old = batch({ ...row, ...changes });
    await keepFor(db, { path }, old);

    const again = await post(old);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(again.body).toStrictEqual(made.body);
    const refused = await post(old, false);
    expect([refused.status, refused.body.details[0].index]).toEqual([400, 0]);
    const { body: balance } = await service.call("GET", "/v1/balance", {
      token: company.accessToken,
    });
    expect(balance.balance).toBe(1_000_000 - 2 * 5_000);
  });

  test.for([
    ["a field that is not known", { amount: 1_000, note: "broken" }],
    ["an amount of null", { amount: null }],
    ["nothing but a misspelled amount", { amonut: 1_000 }],
  ] as const)("200: a refund with %s", async ([, old], { db, service, company }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.paid({ amount: 5_000 });
    const path = `/v1/charges/${id}/refund`;
    const post = postTo(service, company, path);
    const made = await post({ amount: 1_000 });
    expect(made.status).toBe(200);
    // What happened to the charge since then is not in the first answer.
    expect((await post({ amount: 500 }, false)).body.refunded).toBe(1_500);
    await keepFor(db, { path, route: "/v1/charges/:id/refund", params: { id } }, old);

    const again = await post(old);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(again.body).toStrictEqual(made.body);
    expect((await post(old, false)).status).toBe(400);
    expect((await charges.get(id)).body.refunded).toBe(1_500);
    expect(await auditDifferences(db.database)).toEqual([]);
  });
});
