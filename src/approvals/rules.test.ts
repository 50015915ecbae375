import { expect } from "vitest";
import { auditDifferences, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { operator } from "../trail/actor.ts";
import { setAloneMax, setKeysAloneMax } from "./rules.ts";

test("of rules that are set at once, the one in force is the one that the trail says last", async ({
  db,
  company,
}) => {
  const by = operator("a test");
  for (let round = 0; round < 5; round += 1)
    await Promise.all(
      [0, 500_000, 1_000, 0, 7].flatMap((amount) => [
        setAloneMax(db.database, company.id, amount, by),
        setKeysAloneMax(db.database, company.id, amount === 0 ? null : amount, by),
      ]),
    );
  expect(await auditDifferences(db.database)).toEqual([]);
  const entries = await db.database.query<{ from: string | null; to: string | null }>(sql`
    select changes::jsonb -> 'aloneMax' ->> 'from' as from, changes::jsonb -> 'aloneMax' ->> 'to' as to from company_trail
    where changes like '%"aloneMax"%' order by id`);
  // Each began with what the one before it had left.
  expect(entries.slice(1).map(({ from }) => from)).toEqual(
    entries.slice(0, -1).map(({ to }) => to),
  );
});
