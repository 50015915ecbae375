import { describe, expect } from "vitest";
import { makeCompany, test, untilSettled } from "../../test/fixtures.ts";

const path = "/v1/transactions/lookup";

describe("POST /v1/transactions/lookup", () => {
  test("200: the transactions that there are, as each is shown alone, of this company only", async ({
    db,
    service,
    company: { accessToken: token },
  }) => {
    const other = await makeCompany(db.database);
    const made = [];
    for (const [reference, msisdn] of [
      ["one", "2250700000000"],
      ["two", "+2250700000001"],
    ])
      made.push(
        await service.call("POST", "/v1/transactions", {
          token,
          body: { type: "transfer", amount: 5_000, msisdn, reference },
        }),
      );
    await service.call("POST", "/v1/transactions", {
      token: other.accessToken,
      body: { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "three" },
    });
    await untilSettled(db.database);

    const references = ["three", "two", "none", "one", "two"];
    const { status, body } = await service.call("POST", path, { token, body: { references } });

    expect([status, body.count]).toEqual([200, 2]);
    const alone = await Promise.all(
      made.map(({ body: { id } }) => service.call("GET", `/v1/transactions/${id}`, { token })),
    );
    expect(body.data).toEqual(alone.map((answer) => answer.body));
    expect(body.data.map(({ status: ended }: { status: string }) => ended)).toEqual([
      "completed",
      "failed",
    ]);
    const nobody = { references: ["none"] };
    expect((await service.call("POST", path, { token, body: nobody })).body).toEqual({
      count: 0,
      data: [],
    });
  });

  test("200: a thousand at once; 400: none, one more, an empty one, a wrong type; 401: no token", async ({
    service,
    company: { accessToken: token },
  }) => {
    const references = (count: number) => Array.from({ length: count }, (_, place) => `r${place}`);
    const ask = (body: unknown) => service.call("POST", path, { token, body });
    expect((await ask({ references: references(1_000) })).status).toBe(200);
    for (const wrong of [[], references(1_001), [""], [5], ["a\u0000"], ["x".repeat(256)], "one"]) {
      const { status, body } = await ask({ references: wrong });
      expect([status, body.code]).toEqual([400, "invalid_request"]);
    }
    expect((await service.call("POST", path, { body: { references: ["a"] } })).status).toBe(401);
  });
});
