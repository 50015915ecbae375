import { describe, expect } from "vitest";
import { ChargeClient, chargeEvents, expire } from "../../test/charges.ts";
import { auditDifferences, startService, test } from "../../test/fixtures.ts";

const path = "/v1/charges";

describe("GET /v1/charges", () => {
  test("200: no rows, and an envelope all the same", async ({ service, company }) => {
    const { status, body } = await new ChargeClient(service, company).list();

    expect(status).toBe(200);
    expect(body).toStrictEqual({
      count: 0,
      limit: 15,
      cursor: { prev: null, next: null },
      data: [],
    });
  });

  test("200: newest first, 15 a page; forward to the end and back again, the same pages", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const made: string[] = [];
    for (let index = 0; index < 35; index += 1)
      made.push(await charges.made({ externalId: `e${index}` }));
    const pages = [await charges.list()];
    for (const place of [0, 1])
      pages.push(await charges.list(`cursor=${pages[place]?.body.cursor.next}`));

    expect(pages.map(({ body }) => [body.count, body.limit])).toEqual([
      [15, 15],
      [15, 15],
      [5, 15],
    ]);
    expect(pages.flatMap(({ body }) => idsIn(body))).toEqual(made.toReversed());
    expect(pages[0]?.body.cursor.prev).toBeNull();
    expect(pages[2]?.body.cursor.next).toBeNull();
    expect(pages[1]?.body.data[0]).toStrictEqual((await charges.get(made[19] ?? "")).body);

    const middle = await charges.list(`cursor=${pages[2]?.body.cursor.prev}`);
    expect(middle.body).toEqual(pages[1]?.body);
    const start = await charges.list(`cursor=${middle.body.cursor.prev}`);
    expect(start.body).toEqual(pages[0]?.body);
    const all = await charges.list("limit=100");
    expect([all.body.count, all.body.limit]).toEqual([35, 100]);
  });

  test("200: by externalId, by status, by time of creation, and by all of them", async ({
    db,
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const ids = new Map<string, string>();
    for (const externalId of ["due", "paid", "dropped", "refunded_partially", "refunded"])
      ids.set(externalId, await charges.made({ externalId }));
    const idOf = (status: string) => ids.get(status) ?? "";
    for (const status of ["paid", "refunded_partially", "refunded"])
      await charges.pay(idOf(status));
    await expire(db, idOf("dropped"));
    await charges.refund(idOf("refunded_partially"), { amount: 1 });
    await charges.refund(idOf("refunded"));

    for (const [status, id] of ids) {
      for (const query of [
        `status=${status}`,
        `externalId=${status}`,
        `status=${status}&externalId=${status}&createdFrom=2020-01-01`,
      ]) {
        const { body } = await charges.list(query);
        expect(idsIn(body), query).toEqual([id]);
        expect(body.data[0].status, query).toBe(status);
      }
    }
    const { body: paid } = await charges.get(idOf("paid"));
    const at = (query: string) => charges.list(query).then(({ body }) => idsIn(body));
    const moment = encodeURIComponent(paid.createdAt);
    expect(await at(`createdFrom=${moment}&createdTo=${moment}`)).toContain(paid.id);
    expect(await at("createdTo=2020-01-01")).toEqual([]);
    expect(await at("createdFrom=2100-01-01")).toEqual([]);
    expect(await at("externalId=none")).toEqual([]);
    expect(await at("externalId=%00")).toEqual([]);
    expect(await at("status=paid&externalId=due")).toEqual([]);
  });

  test("200: by sub-company, alone and with every other filter; another's, an unknown and a senseless one find nothing", async ({
    service,
    company,
  }) => {
    const charges = new ChargeClient(service, company);
    const token = company.accessToken;
    const subCompanies: string[] = [];
    for (const name of ["A", "B", "Empty"]) {
      const body = { name, logoUrl: "https://shop.example/logo.png" };
      subCompanies.push((await service.call("POST", "/v1/sub-companies", { token, body })).body.id);
    }
    const [a = "", b = "", empty = ""] = subCompanies;
    await charges.made({ externalId: "own" });
    const ofA = [
      await charges.made({ externalId: "a1", subCompanyId: a }),
      await charges.paid({ externalId: "a2", subCompanyId: a }),
    ];
    const ofB = await charges.made({ externalId: "b1", subCompanyId: b });
    const [due = "", paid = ""] = ofA;
    const expected: Record<string, readonly string[]> = {
      [`subCompanyId=${a}`]: [paid, due],
      [`subCompanyId=${b}`]: [ofB],
      [`subCompanyId=${empty}`]: [],
      "subCompanyId=subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6": [],
      "subCompanyId=nonsense": [],
      "subCompanyId=": [],
      [`subCompanyId=${a}&status=paid`]: [paid],
      [`subCompanyId=${a}&status=dropped`]: [],
      [`subCompanyId=${a}&externalId=a1`]: [due],
      [`subCompanyId=${a}&externalId=b1`]: [],
      [`subCompanyId=${a}&createdFrom=2020-01-01&createdTo=2100-01-01`]: [paid, due],
      [`subCompanyId=${a}&createdTo=2020-01-01`]: [],
      [`subCompanyId=${a}&status=due&externalId=a1&createdFrom=2020-01-01`]: [due],
    };
    const found: Record<string, readonly string[]> = {};
    for (const query of Object.keys(expected))
      found[query] = idsIn((await charges.list(query)).body);
    expect(found).toEqual(expected);

    const first = await charges.list(`limit=1&subCompanyId=${a}`);
    const second = await charges.list(`subCompanyId=${a}&cursor=${first.body.cursor.next}`);
    expect([idsIn(first.body), idsIn(second.body)]).toEqual([[paid], [due]]);
  });

  test("200: what is overdue is dropped before it is shown, never listed as due, and told once", async ({
    db,
    company,
  }) => {
    const service = await startService(db, { ROLES: "api" });
    try {
      const charges = new ChargeClient(service, company);
      const ids: string[] = [];
      for (let index = 0; index < 9; index += 1)
        ids.push(await charges.made({ externalId: `e${index}` }));
      for (const id of ids.slice(0, 6)) await expire(db, id);

      expect(idsIn((await charges.list("status=due")).body)).toEqual(ids.slice(6).toReversed());
      const shown = (await charges.list("limit=6")).body.data as { id: string; status: string }[];
      const statuses = shown.map(({ status }) => status).join(" ");
      expect(statuses).toBe("due due due dropped dropped dropped");
      const dropped = await charges.list("status=dropped");
      expect(idsIn(dropped.body)).toEqual(ids.slice(0, 6).toReversed());
      expect((await charges.list("status=due")).body.count).toBe(3);
      const events = await chargeEvents(db, company.id);
      expect(events.map(({ subject }) => subject).toSorted()).toEqual(ids.slice(0, 6));
      expect(await auditDifferences(db.database)).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  test("400: a limit, status, moment or cursor that is none", async ({ service, company }) => {
    const charges = new ChargeClient(service, company);
    await charges.made({ externalId: "a" });
    await charges.made({ externalId: "b" });
    const token = company.accessToken;
    const sub = await service.call("GET", "/v1/transactions?limit=1", { token });
    expect(sub.status).toBe(200);
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "status=created",
      "status=pending",
      "status=DUE",
      "status=",
      "externalId=",
      "externalId=a&externalId=b",
      "createdFrom=yesterday",
      "createdTo=2026-13-01",
      "cursor=",
      "cursor=nonsense",
    ]) {
      const { status, body } = await charges.list(query);
      expect(status, query).toBe(400);
      expect(["invalid_request", "invalid_cursor"], query).toContain(body.code);
    }
    const { body: page } = await charges.list("limit=1");
    const elsewhere = await service.call("GET", `/v1/transactions?cursor=${page.cursor.next}`, {
      token,
    });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "invalid_cursor"]);
  });

  test("401: without a token, before anything else is looked at", async ({ service }) => {
    expect((await service.call("GET", `${path}?limit=0`)).status).toBe(401);
  });
});

function idsIn(body: { data: readonly { id: string }[] }): string[] {
  return body.data.map(({ id }) => id);
}
