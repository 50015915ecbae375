import { expect } from "vitest";
import { makeCompany, startService, test } from "../../test/fixtures.ts";

test("429: more customer checks a minute than the quota, on two nodes together; another company goes on", async ({
  db,
}) => {
  const [company, other] = [await makeCompany(db.database), await makeCompany(db.database)];
  const environment = { CUSTOMER_CHECKS_PER_MINUTE: "20" };
  const [one, two] = [await startService(db, environment), await startService(db, environment)];
  try {
    const check = (place: number, token: string) =>
      (place % 2 === 0 ? one : two).call(
        "GET",
        "/v1/transactions/customers/check?msisdn=2250700000000",
        {
          token,
        },
      );
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, place) => check(place, company.accessToken)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ statusCode: 429, code: "quota_exceeded" });
      expect(body.message).toContain("20 customers a minute");
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await check(0, other.accessToken)).status).toBe(200);
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
});
