import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { enrol, somebody } from "../../test/desk.ts";
import { makeCompany, test } from "../../test/fixtures.ts";
import { sql } from "../database/sql.ts";
import { introducersOf } from "./introducers.ts";

test("introducers are followed to the operator, in a circle too, and only within the company", async ({
  db,
  company,
}) => {
  const [first, second, third, alone] = [somebody(), somebody(), somebody(), somebody()];
  await enrol(db.database, company.id, [first, second, third, alone]);
  const { id: other } = await makeCompany(db.database);
  await enrol(db.database, other, [third, alone]);
  const introduce = (companyId: string, who: typeof first, by: readonly string[]) =>
    db.database.query(sql`
      update memberships set introduced_by = ${by}::uuid[]
      where company_id = ${companyId} and person_id = ${who.personId} returning 1`);
  const left = randomUUID();
  await introduce(company.id, third, [second.personId, left]);
  await introduce(company.id, second, [first.personId]);
  await introduce(company.id, first, [third.personId]);
  await introduce(other, third, [alone.personId]);

  const found = await introducersOf(db.database, company.id, third.personId);
  expect(found.toSorted()).toEqual([first.personId, second.personId, left].toSorted());
  expect(await introducersOf(db.database, company.id, alone.personId)).toEqual([]);
  expect(await introducersOf(db.database, other, third.personId)).toEqual([alone.personId]);
});
