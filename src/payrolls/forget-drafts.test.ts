import { expect } from "vitest";
import { test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { newUuid } from "../kernel/ids.ts";
import { forgetDrafts } from "./keep-drafts.ts";

test("drafts are forgotten a bounded number at a time: two weeks after nobody handed them in, half a year after somebody did", async ({
  db,
  company,
}) => {
  const insert = async (count: number, daysAgo: number, isHandedIn: boolean) => {
    const id = newUuid(Date.now());
    const name = `${daysAgo} ${isHandedIn ? "handed in" : "open"}`;
    if (isHandedIn)
      await db.database.query(sql`
        insert into proposals (company_id, id, kind, title, content, content_hash, made_by, hands, row_count, total_amount,
          total_fee, price, alone_left, needs_approval, form_id)
        values (${company.id}, ${id}, 'payroll', 'May', 'rows', sha256('rows'), ${id}, array[${id}::uuid], 1, 5000,
          0, 1, 0, true, ${id})`);
    await db.database.query(sql`
      insert into payroll_drafts (company_id, id, name, file_hash, cells, made_by, hands, proposal_id, changed_at)
      select ${company.id}, gen_random_uuid(), ${name}, '', '', ${id},
        array[${id}::uuid], ${isHandedIn ? id : null}, now() - make_interval(days => ${daysAgo})
      from generate_series(1, ${count})`);
  };
  await insert(3, 13, false);
  await insert(3, 15, false);
  await insert(150, 179, true);
  await insert(150, 181, true);
  const left = async () => {
    const rows = await db.database.query<{ name: string; count: number }>(sql`
      select name, count(*)::integer as count from payroll_drafts group by 1`);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };

  expect(await forgetDrafts(db.database, company.id)).toBe(true);
  expect(await left()).toEqual({ "13 open": 3, "179 handed in": 150, "181 handed in": 50 });
  expect(await forgetDrafts(db.database, company.id)).toBe(false);
  expect(await left()).toEqual({ "13 open": 3, "179 handed in": 150 });
});
