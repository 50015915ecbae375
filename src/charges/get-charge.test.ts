import { describe, expect } from "vitest";
import { ChargeClient, decliner, expire } from "../../test/charges.ts";
import { startService, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";

const path = "/v1/charges";

describe("GET /v1/charges/:id", () => {
  test("200: a charge exactly as it was answered at creation, but due", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const created = await charges.create({ metadata: { a: [1, null] } });
    const { status, body, headers } = await charges.get(created.body.id);

    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body).toStrictEqual({ ...created.body, status: "due" });
  });

  test("200: every field in every state", async ({ db, service, company }) => {
    const charges = new ChargeClient(service, company);
    const states: Record<string, object> = {
      due: {},
      paid: { due: 0, paid: 10_000, attempts: 2 },
      dropped: { droppedReason: "EXPIRED" },
      refunded_partially: { due: 0, paid: 10_000, refunded: 1, attempts: 1 },
      refunded: { due: 0, paid: 10_000, refunded: 10_000, attempts: 1 },
    };
    const created = new Map<string, { id: string }>();
    for (const externalId of Object.keys(states))
      created.set(externalId, (await charges.create({ externalId })).body);
    const idOf = (status: string) => created.get(status)?.id ?? "";
    await charges.pay(idOf("paid"), decliner);
    for (const status of ["paid", "refunded_partially", "refunded"])
      await charges.pay(idOf(status));
    await expire(db, idOf("dropped"));
    await charges.refund(idOf("refunded_partially"), { amount: 1 });
    await charges.refund(idOf("refunded"));

    for (const [status, changed] of Object.entries(states)) {
      const { body } = await charges.get(idOf(status));
      expect(body, status).toStrictEqual({
        ...created.get(status),
        status,
        ...changed,
        // The moments have a test of their own: dates.test.ts.
        updatedAt: body.updatedAt,
        expiresAt: body.expiresAt,
        paidAt: "paid" in changed ? expect.any(String) : null,
        transactions: body.transactions,
      });
    }
    const types = async (status: string) =>
      (await charges.get(idOf(status))).body.transactions.map(
        (one: { type: string; status: string }) => `${one.type} ${one.status}`,
      );
    expect(await types("paid")).toEqual(["payment failed", "payment completed"]);
    expect(await types("refunded")).toEqual(["payment completed", "refund completed"]);
  });

  test("200: dropped from the moment its time is over, though no worker has come by", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ROLES: "api", CHARGE_LIFETIME_SECONDS: "1" });
    try {
      const charges = new ChargeClient(service, company);
      const id = await charges.made();
      expect((await charges.get(id)).body.status).toBe("due");
      // Until the database's own clock says so: no timing of this process decides.
      await db.database.query(sql`
        select pg_sleep(extract(epoch from expires_at - clock_timestamp()) + 0.001) from charges`);

      const { body } = await charges.get(id);
      expect(body).toMatchObject({ status: "dropped", droppedReason: "EXPIRED", due: 10_000 });
      expect((await charges.get(id)).body).toStrictEqual(body);
      expect(await db.database.query(sql`select 1 from events`)).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });

  test("401: without a token, whether the id is known or not", async ({ service, company }) => {
    const id = await new ChargeClient(service, company).made();
    for (const address of [
      `${path}/${id}`,
      `${path}/019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6`,
      `${path}/nonsense`,
      path,
    ]) {
      const { status, body } = await service.call("GET", address);
      expect([status, body.code], address).toEqual([401, "invalid_token"]);
    }
  });

  test("404: an id that is unknown or malformed", async ({ service, company }) => {
    const charges = new ChargeClient(service, company);
    const id = await charges.made();
    const wrong = [
      "019b2d5f-3a7c-7c0f-8000-a1b2c3d4e5f6",
      id.replaceAll("-", ""),
      id.toUpperCase(),
      `txn_${id.replaceAll("-", "")}`,
      id.slice(0, -1),
      `${id}0`,
      `${id}%20`,
      `${id}%00`,
      "nonsense",
      "%00",
      "%zz",
      "'%20or%20'1'%3D'1",
      "x".repeat(4_000),
    ].filter((text) => text !== id);
    for (const text of wrong) {
      const { status, body } = await charges.get(text);
      expect(status, text.slice(0, 80)).toBe(404);
      expect(["charge_not_found", "route_not_found"]).toContain(body.code);
    }
    expect((await charges.get(wrong[0] ?? "")).body.code).toBe("charge_not_found");
  });

  test("405: every other method, with GET and HEAD in Allow", async ({ service, company }) => {
    const id = await new ChargeClient(service, company).made();
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const answer = await service.call(method, `${path}/${id}`, { token: company.accessToken });
      expect([answer.status, answer.body.code], method).toEqual([405, "method_not_allowed"]);
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD"]);
    }
  });
});
