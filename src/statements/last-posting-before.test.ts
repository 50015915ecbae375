import { expect } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { rewriteHistory } from "../../test/history.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import { fund, sealAll, sealingOf } from "../../test/seals.ts";
import { sql } from "../database/sql.ts";
import { selectLastBefore } from "./lines-store.ts";
import { sealNextDay } from "./seal-days.ts";

/** Two on one day, a day without any, one that ends a day and one that begins the next. */
const moments = [
  "2026-01-28T09:00:00.000Z",
  "2026-01-28T23:30:00.000Z",
  "2026-01-30T12:00:00.000Z",
  "2026-01-30T23:59:59.999Z",
  "2026-01-31T00:00:00.000Z",
  "2026-02-01T04:59:59.999Z",
  "2026-02-01T05:00:00.000Z",
];

async function makeHistory(db: TestDatabase): Promise<string> {
  const { id } = await makeCompany(db.database, { fund: 1_000 });
  for (let more = 1; more < moments.length; more += 1) await fund(db, id, 1);
  await rewriteHistory(db.database, id, (posting) => ({
    ...posting,
    at: new Date(moments[posting.number - 1] ?? ""),
  }));
  return id;
}

/** By looking at all of them. */
async function countBefore({ database }: TestDatabase, companyId: string, moment: Date) {
  const rows = await database.query<{ number: number }>(sql`
    select coalesce(max(number), 0) as number from postings
    where company_id = ${companyId} and created_at < ${moment}`);
  return rows[0]?.number;
}

async function expectEveryMoment(db: TestDatabase, companyId: string): Promise<void> {
  const hours = Array.from({ length: 24 * 8 }, (_, hour) => Date.UTC(2026, 0, 27, hour));
  const edges = [...hours, ...moments.map((moment) => Date.parse(moment))];
  for (const ms of edges.flatMap((edge) => [edge - 1, edge, edge + 1])) {
    const moment = new Date(ms);
    expect(await selectLastBefore(db.database, companyId, moment), moment.toISOString()).toBe(
      await countBefore(db, companyId, moment),
    );
  }
}

test.for([undefined, "Africa/Dakar", "Pacific/Kiritimati", "Pacific/Pago_Pago"])(
  "the last posting before any moment is the same whether days are sealed or not: %s",
  async (timeZone, { db }) => {
    const id = await makeHistory(db);
    if (timeZone !== undefined) {
      const seals = await sealAll(await sealingOf(db, timeZone), id);
      expect(seals.length).toBeGreaterThan(2);
    }

    await expectEveryMoment(db, id);
    for (const far of ["2000-01-01", "9000-01-01"])
      expect(await selectLastBefore(db.database, id, new Date(far))).toBe(far < "2026" ? 0 : 7);
  },
);

test("between seals of two time zones it is found, too", async ({ db }) => {
  const id = await makeHistory(db);
  const outcome = await sealNextDay(await sealingOf(db, "Pacific/Pago_Pago"), id);
  expect(outcome).toMatchObject({ kind: "sealed", seal: { day: "2026-01-27", number: 1 } });
  expect(await sealAll(await sealingOf(db, "Pacific/Kiritimati"), id)).not.toEqual([]);

  await expectEveryMoment(db, id);
});

test("the end of a sealed day is read from its seal, and no posting is looked at", async ({
  db,
  skip,
}) => {
  notOnCluster({ skip }, "pages");
  const id = await makeHistory(db);
  const [first] = await sealAll(await sealingOf(db), id);
  const until = first?.until ?? new Date();

  const looked = await db.database.transaction(async (tx) => {
    const count = async () => {
      const rows = await tx.query<{ count: number }>(sql`
        select sum(pg_stat_get_xact_blocks_fetched(oid))::bigint as count from pg_class
        where oid in ('postings'::regclass, 'postings_pk'::regclass)`);
      return rows[0]?.count ?? Number.NaN;
    };
    const before = await count();
    expect(await selectLastBefore(tx, id, until)).toBe(2);
    const atTheEnd = await count();
    expect(await selectLastBefore(tx, id, new Date(until.getTime() - 3_600_000))).toBe(1);
    return [atTheEnd - before, (await count()) - atTheEnd];
  });

  expect(looked).toEqual([0, expect.toSatisfy((pages: number) => pages > 0)]);
});
