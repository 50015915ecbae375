import { describe, expect } from "vitest";
import {
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";

const path = "/v1/transactions";
const [success, failure] = ["2250700000000", "2250700000001"];

describe("GET /v1/transactions", () => {
  test("200: every filter alone and combined", async ({ db, company }) => {
    await withService(db, "api", async (service) => {
      const { batchId, subCompanyId } = await makeRows(db, service, company);
      const expected: Record<string, readonly string[]> = {
        "reference=a": ["a"],
        "reference=A": [],
        "reference=%C3%A9%20%26%20%2B1%25": ["é & +1%"],
        "reference=%00": [],
        "status=completed": ["c", "a"],
        "status=failed": ["d", "é & +1%"],
        "status=pending": ["e"],
        [`msisdn=${success}`]: ["e", "c", "a"],
        [`msisdn=%2B${success}`]: ["e", "c", "a"],
        [`msisdn=+${success}`]: ["e", "c", "a"],
        "msisdn=22507000000": [],
        [`batchId=${batchId}`]: ["d", "c"],
        "batchId=bat_019b2d5f3a7c7c0f8000a1b2c3d4e5f6": [],
        [`subCompanyId=${subCompanyId}`]: ["e", "d", "c"],
        "subCompanyId=subco_019b2d5f3a7c7c0f8000a1b2c3d4e5f6": [],
        [`status=completed&subCompanyId=${subCompanyId}`]: ["c"],
        [`status=failed&batchId=${batchId}&msisdn=${failure}`]: ["d"],
        [`msisdn=${success}&subCompanyId=${subCompanyId}`]: ["e", "c"],
        "reference=a&status=failed": [],
        [`reference=c&status=completed&msisdn=${success}&batchId=${batchId}&subCompanyId=${subCompanyId}&createdFrom=2020-01-01&createdTo=2100-01-01`]:
          ["c"],
      };
      const found: Record<string, readonly string[]> = {};
      for (const query of Object.keys(expected))
        found[query] = referencesIn((await list(service, company, query)).body);
      expect(found).toEqual(expected);

      const first = await list(service, company, `limit=2&msisdn=${success}`);
      const next = `limit=2&msisdn=${success}&cursor=${first.body.cursor.next}`;
      const second = await list(service, company, next);
      expect([referencesIn(first.body), referencesIn(second.body)]).toEqual([["e", "c"], ["a"]]);
      expect(second.body.cursor.next).toBeNull();
    });
  });

  test("200: the reference that the recipient sees leads to its transaction alone, also in a batch of one millisecond", async ({
    db,
    company,
  }) => {
    await withService(db, "api", async (service) => {
      await makeRows(db, service, company);
      const rows = (await list(service, company)).body.data as Shown[];
      expect(rows).toHaveLength(5);
      for (const { reference: own, status, serviceTransactionReference: seen } of rows) {
        for (const written of [seen, seen.toLowerCase(), seen.replaceAll("-", "")]) {
          const query = `serviceTransactionReference=${written}`;
          expect(referencesIn((await list(service, company, query)).body), query).toEqual([own]);
        }
        const both = `serviceTransactionReference=${seen}&status=`;
        expect(referencesIn((await list(service, company, both + status)).body)).toEqual([own]);
        const other = status === "failed" ? "completed" : "failed";
        expect(referencesIn((await list(service, company, both + other)).body)).toEqual([]);
      }
      for (const none of ["0000-0000-0000-0000", "nonsense", "%00"])
        expect(
          (await list(service, company, `serviceTransactionReference=${none}`)).body.count,
        ).toBe(0);
    });
  });

  test("200: createdFrom and createdTo include their moment", async ({ service, company }) => {
    for (let index = 0; index < 6; index += 1) await create(service, company, `r${index}`);
    const all: readonly Row[] = (await list(service, company)).body.data;
    const times = all.map(({ createdAt }) => createdAt);
    const between = (from: string, to: string) =>
      all.filter(({ createdAt }) => createdAt >= from && createdAt <= to).map(reference);
    const [oldest, newest] = [String(times.at(-1)), String(times[0])];
    for (const [from, to] of [
      [oldest, newest],
      [times[3], times[1]],
      [times[2], times[2]],
      [newest, newest],
    ] as const) {
      const { body } = await list(service, company, `createdFrom=${from}&createdTo=${to}`);
      expect(referencesIn(body)).toEqual(between(String(from), String(to)));
    }
    const later = new Date(Date.parse(newest) + 1).toISOString();
    const earlier = new Date(Date.parse(oldest) - 1).toISOString();
    const expected: Record<string, number> = {
      [`createdFrom=${later}`]: 0,
      [`createdTo=${earlier}`]: 0,
      [`createdFrom=${newest}&createdTo=${earlier}`]: 0,
      [`createdFrom=${oldest.replace("Z", "+00:00")}`]: 6,
      [`createdFrom=${oldest.replace("Z", "%2B00:00")}`]: 6,
      "createdFrom=2020-02-29": 6,
      "createdTo=2020-02-29T23:59:59Z": 0,
      "createdFrom=0001-01-01T00:00:00.000Z&createdTo=9999-12-31T23:59:59.999Z": 6,
    };
    for (const [query, count] of Object.entries(expected))
      expect((await list(service, company, query)).body.count, query).toBe(count);
  });
});

interface Row {
  readonly reference: string;
  readonly createdAt: string;
}

interface Shown extends Row {
  readonly status: string;
  readonly serviceTransactionReference: string;
}

function list(service: TestService, { accessToken: token }: TestCompany, query = "") {
  return service.call("GET", query === "" ? path : `${path}?${query}`, { token });
}

function create(service: TestService, company: TestCompany, name: string, more: object = {}) {
  const body = { type: "transfer", amount: 5_000, msisdn: success, reference: name, ...more };
  return service.call("POST", path, { token: company.accessToken, body });
}

function reference(row: Row): string {
  return row.reference;
}

function referencesIn(body: { data: readonly Row[] }): string[] {
  return body.data.map(reference);
}

async function withService(
  db: TestDatabase,
  roles: string,
  work: (service: TestService) => Promise<unknown>,
): Promise<void> {
  const service = await startService(db, { ROLES: roles });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

/** Two completed, two failed, and with no worker running any more one that stays pending. */
async function makeRows(db: TestDatabase, service: TestService, company: TestCompany) {
  const { accessToken: token } = company;
  const logo = { name: "Shop", logoUrl: "https://shop.example/logo.png" };
  const sub = await service.call("POST", "/v1/sub-companies", { token, body: logo });
  const subCompanyId: string = sub.body.id;
  await create(service, company, "a", { msisdn: `+${success}` });
  await create(service, company, "é & +1%", { msisdn: failure });
  const transactions = [
    { amount: 5_000, msisdn: success, reference: "c" },
    { amount: 5_000, msisdn: failure, reference: "d" },
  ];
  const body = { subCompanyId, transactions };
  const batch = await service.call("POST", `${path}/batch`, { token, body });
  await withService(db, "worker", () => untilSettled(db.database));
  await create(service, company, "e", { subCompanyId });
  const batchId: string = batch.body.id;
  return { batchId, subCompanyId };
}
