import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { passDays, remark, rewriteHistory, statementDifferences } from "../../test/history.ts";
import { passTriggers } from "../../test/past-triggers.ts";
import { fund, sealAll, sealingOf } from "../../test/seals.ts";
import { sql } from "../database/sql.ts";
import { sealNextDay } from "./seal-days.ts";

describe("whoever can change everything in the database", () => {
  test("changes a posting: the audit names it, and the day is not sealed", async ({ db }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });
    for (const amount of [1, 2, 3]) await fund(db, id, amount);
    await passDays(db.database, id, 2);
    const [time] = await db.database.query<{ later: string }>(sql`
      select (created_at + interval '1 ms')::text as later from postings where company_id = ${id} and number = 3`);
    for (const change of [
      "amount = amount + 1",
      `subject_id = '${randomUUID()}'`,
      "available_after = available_after - 1",
      `created_at = '${time?.later}'`,
      "event = 'charge.paid'",
      "debit_account = 'paid_out'",
    ]) {
      const [kept] = await db.database.query<{ row: string }>(sql`
        select p::text as row from postings p where company_id = ${id} and number = 3`);
      await spoil(db, `update postings set ${change} where company_id = '${id}' and number = 3`);
      const [difference] = await statementDifferences(db.database);
      expect(difference?.where).toBe(`posting 3 of company ${id}`);
      expect(await sealNextDay(await sealingOf(db), id)).toMatchObject({
        kind: "broken",
        link: { number: 3 },
      });
      await spoil(db, `delete from postings where company_id = '${id}' and number = 3`);
      await spoil(db, `insert into postings select ('${kept?.row}'::postings).*`);
    }
    expect(await statementDifferences(db.database)).toEqual([]);
  });

  test("changes one posting of a large set, and its mark with it: the audit names the set", async ({
    db,
  }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });
    await db.database.query(sql`
      select post_movements(${id}, 'company.funded', 'external', 'available',
        (select array_agg(gen_random_uuid()) from generate_series(1, 9)), '{1,2,3,4,5,6,7,8,9}')`);

    await spoil(db, `update postings set amount = 50 where company_id = '${id}' and number = 5`);
    expect((await statementDifferences(db.database))[0]?.where).toBe(`posting 5 of company ${id}`);

    await db.database.transaction(async (tx) => {
      await passTriggers(tx);
      await remark(tx, id);
    });
    const [difference] = await statementDifferences(db.database);
    expect(difference?.where).toBe(`posting 2 of company ${id}`);
    expect(difference?.expected).toContain("at posting 10");
  });

  test("removes a posting, the last ones, or puts one in: the audit names the place", async ({
    db,
  }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });
    for (const amount of [1, 2, 3]) await fund(db, id, amount);
    const wheres = async () => (await statementDifferences(db.database)).map(({ where }) => where);

    await spoil(db, `delete from postings where company_id = '${id}' and number = 4`);
    expect(await wheres()).toContain(`posting 4 of company ${id}`);
    await spoil(db, `update books set last_posting = 3 where company_id = '${id}'`);
    expect(await wheres()).toContain(`the head of company ${id}`);
    await spoil(
      db,
      `insert into postings select company_id, 4, subject_id, 9, available_after + 9, created_at, event, debit_account,
        credit_account, mark, chain from postings where company_id = '${id}' and number = 3`,
    );
    await spoil(db, `update books set last_posting = 4 where company_id = '${id}'`);
    expect(await wheres()).toContain(`posting 4 of company ${id}`);
  });

  test("rewrites history and chains it anew: the seal is the witness", async ({ db, service }) => {
    const company = await makeCompany(db.database, { fund: 1_000 });
    await fund(db, company.id, 200);
    await passDays(db.database, company.id, 2);
    const [seal] = await sealAll(await sealingOf(db), company.id);
    expect(await statementDifferences(db.database)).toEqual([]);

    await rewriteHistory(db.database, company.id, (posting) =>
      posting.number === 2 ? { ...posting, subjectId: randomUUID() } : posting,
    );

    const [difference, ...others] = await statementDifferences(db.database);
    expect(difference?.where).toContain(`sealed for ${seal?.day}, of company ${company.id}`);
    expect(others.map(({ where }) => where)).toEqual([`company ${company.id}`]);
    // And what the company was handed still says what it said.
    const listed = await service.call("GET", "/v1/statement/seals", { token: company.accessToken });
    expect(listed.body.data[0].hash).toBe(seal?.hash.toString("hex"));
  });

  test("seals another history without the operator's key: the audit names the seal", async ({
    db,
  }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });
    await passDays(db.database, id, 2);
    const sealing = await sealingOf(db);
    const [seal] = await sealAll(sealing, id);

    for (const change of ["balance = 5", "hash = sha256('x')", "signature = sha256('x')"]) {
      await spoil(db, "create table kept as select * from seals");
      await spoil(db, `update seals set ${change}`);
      const wheres = (await statementDifferences(db.database)).map(({ where }) => where);
      expect(wheres).toContain(`seal of ${seal?.day} of company ${id}`);
      await fund(db, id, 1);
      await passDay(db, id);
      // Nothing is signed on top of it.
      expect(await sealNextDay(sealing, id)).toMatchObject({
        kind: "broken",
        link: { number: seal?.number, found: "another signature" },
      });
      await spoil(db, "delete from seals");
      expect(await statementDifferences(db.database)).not.toEqual([]);
      await spoil(db, "insert into seals select * from kept");
      await spoil(db, "drop table kept");
    }
  });

  test("takes the chain away: the audit sees where it was", async ({ db }) => {
    const { id } = await makeCompany(db.database, { fund: 1_000 });
    await spoil(
      db,
      `update books set chain = null, chained_after = null where company_id = '${id}'`,
    );

    expect((await statementDifferences(db.database)).map(({ where }) => where)).toEqual([
      `company ${id}`,
    ]);
  });
});

/** As if the last posting had been made a day ago; what is sealed stays what it is. */
async function passDay({ database }: TestDatabase, companyId: string): Promise<void> {
  const [last] = await database.query<{ number: number }>(sql`
    select last_posting as number from books where company_id = ${companyId}`);
  await rewriteHistory(database, companyId, (posting) =>
    posting.number === last?.number
      ? { ...posting, at: new Date(posting.at.getTime() - 86_400_000) }
      : posting,
  );
}

/** As superuser, past the triggers. */
async function spoil({ database }: TestDatabase, text: string): Promise<void> {
  await database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query({ text, values: [] });
  });
}
