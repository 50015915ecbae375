import { expect } from "vitest";
import { makeCompany, test } from "../../test/fixtures.ts";
import { PayPage } from "../../test/pay-page.ts";
import { sql } from "../database/sql.ts";
import { forgetCheckouts } from "./forget-checkouts.ts";

test("what is older than thirty days is forgotten, of this company and of nothing else", async ({
  db,
  service,
  company,
}) => {
  const other = await makeCompany(db.database);
  const pages = [
    await PayPage.make(service, company),
    await PayPage.make(service, company),
    await PayPage.make(service, other),
  ];
  for (const page of pages) await page.post("code", { phone: "+2250700000000" });
  await db.database.query(sql`
    update checkouts set updated_at = now() - interval '31 days' where charge_id <> ${pages[1]?.chargeId}`);

  expect(await forgetCheckouts(db.database, company.id)).toBe(false);

  const left = await db.database.query<{ charge_id: string }>(sql`
    select charge_id from checkouts order by charge_id`);
  expect(left.map(({ charge_id }) => charge_id)).toEqual([pages[1]?.chargeId, pages[2]?.chargeId]);
});
