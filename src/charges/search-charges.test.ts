import { expect } from "vitest";
import { ChargeClient, decliner, expire, payer } from "../../test/charges.ts";
import { deskOf } from "../../test/desk.ts";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { makeSubCompany } from "../../test/statements.ts";
import { sql } from "../database/sql.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { type PageRequest, parsePageRequest } from "../kernel/page.ts";
import { type ChargeSearch, searchCharges, sumCharges, walkCharges } from "./search-charges.ts";

function paymentsOf({ database }: TestDatabase) {
  return deskOf(database).payments;
}

/** External ids of all pages, from the newest to the oldest, and back again to the newest. */
async function turnPages(db: TestDatabase, companyId: string, search: ChargeSearch, limit: number) {
  const list = { name: "charges", companyId };
  const found: string[] = [];
  let request: PageRequest = { limit };
  let pages = 0;
  while (true) {
    const page = await searchCharges(paymentsOf(db), companyId, search, request);
    found.push(...page.rows.map(({ externalId }) => externalId));
    pages += 1;
    if (page.next === null) {
      const back: string[] = page.rows.map(({ externalId }) => externalId);
      let { prev } = page;
      while (prev !== null) {
        const before = await searchCharges(
          paymentsOf(db),
          companyId,
          search,
          parsePageRequest(list, { limit, cursor: prev }),
        );
        back.unshift(...before.rows.map(({ externalId }) => externalId));
        ({ prev } = before);
      }
      expect(back).toEqual(found);
      return { found, pages };
    }
    request = parsePageRequest(list, { limit, cursor: page.next });
  }
}

test("charges are found by state, day, amount, sub-company and payer, and sums and exports have exactly those", async ({
  db,
  service,
  company,
}) => {
  const charges = new ChargeClient(service, company);
  const subCompanyId = await makeSubCompany(service, company, "Boutique Awa");
  const large = await charges.paid({ externalId: "large", amount: 90_000 });
  await charges.refund(large, { amount: 40_000 });
  await charges.paid({ externalId: "small", amount: 2_000, subCompanyId });
  const declined = await charges.made({ externalId: "declined", amount: 3_000, subCompanyId });
  await charges.pay(declined, decliner);
  await charges.made({ externalId: "due", amount: 4_000 });
  const late = await charges.made({ externalId: "late", amount: 5_000 });
  await expire(db, late);
  await new ChargeClient(service, await makeCompany(db.database)).paid({ externalId: "theirs" });
  const ofSub = { subCompanyId: parsePublicId("subco", subCompanyId) ?? "" };
  const cases: readonly (readonly [ChargeSearch, readonly string[]])[] = [
    [{}, ["late", "due", "declined", "small", "large"]],
    [{ status: "due" }, ["due", "declined"]],
    [{ status: "dropped" }, ["late"]],
    [{ status: "dropped", amountMin: 5_000 }, ["late"]],
    [{ amountMin: 3_000, amountMax: 5_000 }, ["late", "due", "declined"]],
    [{ status: "due", amountMin: 4_000 }, ["due"]],
    [{ ...ofSub, amountMin: 1 }, ["declined", "small"]],
    [{ msisdn: payer }, ["small", "large"]],
    [{ msisdn: payer, amountMin: 3_000 }, ["large"]],
    [{ msisdn: payer, ...ofSub }, ["small"]],
    [{ msisdn: payer, status: "refunded_partially" }, ["large"]],
    [{ msisdn: decliner }, ["declined"]],
    [{ msisdn: decliner, status: "paid" }, []],
    [{ msisdn: "2250733333333" }, []],
    [{ createdFrom: new Date(Date.now() + 60_000) }, []],
    [{ msisdn: payer, createdTo: new Date(Date.now() - 60_000) }, []],
  ];
  const amounts: Record<string, number> = {
    late: 5_000,
    due: 4_000,
    declined: 3_000,
    small: 2_000,
    large: 90_000,
  };
  for (const [search, expected] of cases) {
    const what = JSON.stringify(search);
    expect((await turnPages(db, company.id, search, 1)).found, what).toEqual(expected);
    expect((await turnPages(db, company.id, search, 15)).pages, what).toBe(1);
    const sum = await sumCharges(db.database, company.id, search);
    const has = (name: string) => expected.includes(name);
    expect(sum, what).toEqual({
      count: expected.length,
      amount: expected.reduce((all, name) => all + (amounts[name] ?? 0), 0),
      paid: (has("small") ? 2_000 : 0) + (has("large") ? 90_000 : 0),
      refunded: has("large") ? 40_000 : 0,
      isMore: false,
    });
    const walked: string[] = [];
    for await (const set of walkCharges(paymentsOf(db), company.id, search))
      walked.push(...set.map(({ externalId }) => externalId));
    expect(walked, what).toEqual(expected);
  }
  expect(await sumCharges(db.database, company.id, {}, 3)).toMatchObject({
    count: 3,
    isMore: true,
  });
});

test("a page that looked at a thousand rows says so and leads on, through any number of them", async ({
  db,
  company,
}) => {
  await db.database.query(sql`
    insert into charges (company_id, id, external_id, description, amount, fee, fee_rate_ppm,
      on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at, expires_at)
    select ${company.id}, ordered_id(1700000000000 + n, 1, 7), 'c' || n, 'Order', case n % 900 when 1 then 7000 else 100 end, 0, 0,
      'https://shop.example/', 'https://shop.example/', now(), now(), now() + interval '1 hour'
    from generate_series(1, 2300) as n`);
  await db.database.query(sql`
    insert into charge_transactions (company_id, charge_id, id, type, msisdn, msisdn_given, amount, fee, status, error)
    select company_id, id, ordered_id(1700000000000, n, 9), 'payment', ${payer}, ${payer}, amount, 0, 'failed', 'DECLINED'
    from charges cross join generate_series(1, 2) as n where company_id = ${company.id}`);

  for (const search of [{ amountMin: 7_000 }, { amountMin: 7_000, msisdn: payer }]) {
    const first = await searchCharges(paymentsOf(db), company.id, search, { limit: 15 });
    expect(first.looked).toBe(1_000);
    expect(first.rows.map(({ externalId }) => externalId)).toEqual(["c1801"]);
    expect(await turnPages(db, company.id, search, 15)).toEqual({
      found: ["c1801", "c901", "c1"],
      pages: 3,
    });
    expect(await sumCharges(db.database, company.id, search)).toMatchObject({
      count: 3,
      amount: 21_000,
      isMore: false,
    });
  }
});
