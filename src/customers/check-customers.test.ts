import { describe, expect } from "vitest";
import {
  makeCompany,
  makeCustomer,
  startService,
  type TestCompany,
  type TestService,
  test,
} from "../../test/fixtures.ts";
import { operator } from "../trail/actor.ts";
import { setWalletFrozen } from "./keep-book.ts";

describe("POST /v1/customers/check", () => {
  test("200: who each of them is, in the order and the writing of the request, also a number twice", async ({
    db,
    service,
    company,
  }) => {
    await makeCustomer(db.database, "221770000001");
    await makeCustomer(db.database, "221770000002", "pending");
    await makeCustomer(db.database, "221770000003", "complete", 7_000);
    await makeCustomer(db.database, "221770000004");
    await makeCustomer(db.database, "221770000005", "rejected");
    await setWalletFrozen(db.database, "221770000004", true, operator());
    const expected = [
      ["+221770000003", "complete", 7_000],
      ["221770000001", "complete", 2_000_000],
      ["221770000002", "pending", 200_000],
      ["221770000004", "complete", 0],
      ["221770000005", "rejected", 0],
      ["221770000009", "unknown", 0],
      ["+221770000001", "complete", 2_000_000],
      ["2250700000000", "complete", null],
      ["2250700000001", "unknown", 0],
    ] as const;

    const { status, body } = await check(
      service,
      company,
      expected.map(([msisdn]) => msisdn),
    );

    expect([status, body.count]).toEqual([200, expected.length]);
    type Row = { msisdn: string; kycStatus: string; amountMax: number | null };
    expect(
      body.data.map(({ msisdn, kycStatus, amountMax }: Row) => [msisdn, kycStatus, amountMax]),
    ).toEqual(expected);
    expect(body.data[1]).toEqual({
      msisdn: "221770000001",
      kycStatus: "complete",
      firstName: "Awa",
      lastName: "Diop",
      amountMax: 2_000_000,
    });
    expect(body.data[5]).toMatchObject({ firstName: "unknown", lastName: "unknown" });
  });

  test("200: a thousand at once; 400: none, one more, and what is no phone number", async ({
    service,
    company,
  }) => {
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, place) => String(221_770_000_000 + place));
    const all = await check(service, company, numbers(1_000));
    expect([all.status, all.body.count]).toEqual([200, 1_000]);

    for (const wrong of [
      [],
      numbers(1_001),
      ["07"],
      [221_770_000_001],
      ["22177000000１"],
      "2217",
    ]) {
      const { status, body } = await check(service, company, wrong);
      expect([status, body.code]).toEqual([400, "invalid_request"]);
    }
    expect((await check(service, company, undefined)).status).toBe(400);
  });

  test("401: without a token", async ({ service }) => {
    const answer = await service.call("POST", "/v1/customers/check", { body: { msisdns: ["x"] } });
    expect(answer.status).toBe(401);
  });

  test("429: as many checks as there are numbers, together with the single ones; 400: more at once than in a minute", async ({
    db,
  }) => {
    const [company, other] = [await makeCompany(db.database), await makeCompany(db.database)];
    const service = await startService(db, { CUSTOMER_CHECKS_PER_MINUTE: "5" });
    const numbers = ["221770000001", "221770000002", "221770000003"];
    const path = "/v1/transactions/customers/check?msisdn=221770000001";
    const single = () => service.call("GET", path, { token: company.accessToken });
    try {
      expect((await check(service, company, numbers)).status).toBe(200);
      expect((await single()).status).toBe(200);
      const refused = await check(service, company, numbers);
      expect([refused.status, refused.body.code]).toEqual([429, "quota_exceeded"]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      // What was refused was not counted: the fifth is still to be had, and no sixth.
      expect((await single()).status).toBe(200);
      expect((await single()).status).toBe(429);
      expect((await check(service, other, numbers)).status).toBe(200);

      const tooMany = await check(service, other, [...numbers, ...numbers]);
      expect([tooMany.status, tooMany.body.details[0].field]).toEqual([400, "msisdns"]);
      expect(tooMany.body.message).toContain("at most 5 at once");
    } finally {
      await service.stop();
    }
  });
});

function check(service: TestService, { accessToken: token }: TestCompany, msisdns: unknown) {
  return service.call("POST", "/v1/customers/check", { token, body: { msisdns } });
}
