import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { test } from "../fixtures.ts";
import { passDays } from "../history.ts";
import { passTriggers } from "../past-triggers.ts";
import { makeDataDir, runCommand } from "../process.ts";

test("cauri seal seals the days that are over, once, and refuses books that were changed", async ({
  db,
}) => {
  const dataDir = await makeDataDir();
  const settings = { DATABASE_URL: db.url, MASTER_KEY: randomBytes(32).toString("hex") };
  const cauri = (...args: string[]) => runCommand(dataDir, args, settings);
  const made = await cauri("company", "create", "Awa", "--fund", "5000", "--json");
  const { companyId } = JSON.parse(made.stdout) as { companyId: string };
  const [row] = await db.database.query<{ company_id: string }>(sql`
    select company_id from companies where name = 'Awa'`);
  const uuid = row?.company_id ?? "";

  const early = await cauri("seal");
  expect([early.code, early.stdout]).toEqual([0, "Every day that is over is sealed.\n"]);

  await passDays(db.database, uuid, 2);
  const first = await cauri("seal", "--json");
  expect([first.code, first.stderr]).toEqual([0, ""]);
  const { sealed, broken } = JSON.parse(first.stdout);
  expect(broken).toEqual([]);
  expect(sealed).toMatchObject([{ companyId, number: 1, balance: 5_000 }]);
  const second = await cauri("seal", "--json");
  expect([second.code, JSON.parse(second.stdout)]).toEqual([0, { sealed: [], broken: [] }]);

  await cauri("company", "fund", companyId, "1000", "--yes");
  await db.database.query(sql`update statement_progress set seal_after = '-infinity'`);
  await db.database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query(sql`
      update postings set amount = amount + 1, created_at = now() - interval '1 day'
      where company_id = ${uuid} and number = 2`);
  });
  const refused = await cauri("seal");
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining(`NOT SEALED: ${companyId}: posting 2: `),
  ]);
  expect(await db.database.query(sql`select 1 from seals`)).toHaveLength(1);
});
