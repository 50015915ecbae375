import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { makeCompany, type TestDatabase, test } from "../../test/fixtures.ts";
import { holdLock } from "../../test/locks.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { LeasedQueue, type LeasedQueueOptions, leaseMsFor } from "./leased-queue.ts";
import { WorkLoop } from "./work-loop.ts";

const queue = "errands";

test("a company is held by one worker at a time, and its row is gone when nothing is left", async ({
  db,
  company,
}) => {
  await mark(db, company.id);
  const other = open(db);
  const one = open(db, {
    async work(companyId) {
      expect(await other.find(10)).toEqual([]);
      expect(await other.work(companyId, always)).toBeUndefined();
    },
  });

  expect(await one.find(10)).toEqual([company.id]);
  expect(await one.work(company.id, always)).toBeUndefined();
  expect(other.turns).toBe(0);
  expect(await rows(db)).toEqual([]);
});

test("work that is due later is not ready before, whoever is told of it", async ({
  db,
  company,
}) => {
  await mark(db, company.id);
  const leased = open(db, { nextDueMs: async () => 60_000 });

  expect(await leased.work(company.id, always)).toBe(60_000);
  expect(await leased.find(10)).toEqual([]);
  expect(await leased.work(company.id, always)).toBeUndefined();
  expect(leased.turns).toBe(1);
});

test("a locked row is passed over, not waited for: the others have their turns meanwhile", async ({
  db,
  company,
}) => {
  const other = await makeCompany(db.database);
  for (const { id } of [company, other]) await mark(db, id);
  const unlock = await holdLock(db, `select 1 from work where company_id = '${company.id}'`);
  const leased = open(db);
  const loop = new WorkLoop({
    logger: pino({ level: "silent" }),
    name: queue,
    source: leased,
    concurrency: 1,
    pollMs: 20,
  });
  onTestFinished(() => loop.stop());
  loop.start();

  await expect.poll(() => leased.worked, patience).toEqual([other.id]);
  await unlock();
  await expect.poll(() => leased.worked, patience).toEqual([other.id, company.id]);
});

test("a lease is longer than the longest statement, and is renewed for as long as the work goes on", async ({
  db,
  company,
}) => {
  expect([leaseMsFor(100), leaseMsFor(20_000)]).toEqual([30_000, 40_000]);
  await mark(db, company.id);
  const leased = open(db, {
    leaseMs: 3_000,
    async work(companyId, mayGoOn) {
      const ends = new Set<string>();
      const lookAtEnd = async () => {
        const [row] = await rows(db);
        ends.add(String(row?.leased_until?.getTime()));
        return ends.size;
      };
      await expect.poll(lookAtEnd, patience).toBe(3);
      expect(mayGoOn()).toBe(true);
      expect(await open(db).work(companyId, always)).toBeUndefined();
    },
  });

  await leased.work(company.id, always);
  expect(await rows(db)).toEqual([]);
});

test("a lease that another has taken over is noticed and left alone", async ({ db, company }) => {
  await mark(db, company.id);
  const other = open(db, { nextDueMs: async () => 60_000 });
  const leased = open(db, {
    leaseMs: 300,
    async work(companyId, mayGoOn) {
      await db.database.query(
        sql`update work set lease_id = null, leased_until = null where queue = ${queue}`,
      );
      await other.work(companyId, always);
      await expect.poll(mayGoOn, patience).toBe(false);
    },
  });

  expect(await leased.work(company.id, always)).toBeUndefined();
  expect(await rows(db)).toHaveLength(1);
});

test("a turn that failed gives the company back, for a little later", async ({ db, company }) => {
  await mark(db, company.id);
  const leased = open(db, { work: () => Promise.reject(new Error("it fails")) });

  await expect(leased.work(company.id, always)).rejects.toThrow("it fails");
  expect(await rows(db)).toEqual([{ company_id: company.id, leased_until: null, is_ready: false }]);
});

test("a lease that could not be given back, because the database was away, is taken up again at once", async ({
  db,
  company,
}) => {
  const { proxy, database } = await throughProxy(db);
  await mark(db, company.id);
  const leased = open(
    { ...db, database },
    {
      async work() {
        if (leased.turns > 1) return;
        proxy.isAway = true;
        proxy.cut();
      },
    },
  );
  await expect(leased.work(company.id, always)).rejects.toThrow();
  proxy.isAway = false;

  expect(await open(db).find(10)).toEqual([]);
  expect(await leased.find(10)).toEqual([company.id]);
  await leased.work(company.id, always);
  expect(leased.turns).toBe(2);
  expect(await rows(db)).toEqual([]);
});

test("a claim whose answer was lost is taken up again at once", async ({ db, company }) => {
  const { proxy, database } = await throughProxy(db);
  await mark(db, company.id);
  const leased = open({ ...db, database });
  await leased.find(1);
  proxy.isDeaf = true;
  const lost = expect(leased.work(company.id, always)).rejects.toThrow();
  await expect.poll(async () => (await rows(db))[0]?.leased_until, patience).toBeTruthy();
  proxy.isDeaf = false;
  proxy.cut();
  await lost;

  expect(await leased.find(10)).toEqual([company.id]);
  await leased.work(company.id, always);
  expect(leased.turns).toBe(1);
});

const always = () => true;

/** A queue like one of another process, which remembers whose turns it was asked for. */
class Errands extends LeasedQueue {
  readonly worked: string[] = [];

  get turns(): number {
    return this.worked.length;
  }
}

function open({ database }: TestDatabase, options: Partial<LeasedQueueOptions> = {}): Errands {
  const errands: Errands = new Errands({
    database,
    queue,
    leaseMs: 30_000,
    nextDueMs: async () => undefined,
    ...options,
    work: async (companyId, mayGoOn) => {
      errands.worked.push(companyId);
      await options.work?.(companyId, mayGoOn);
    },
  });
  return errands;
}

async function mark({ database }: TestDatabase, companyId: string): Promise<void> {
  await database.query(sql`
    insert into work (company_id, queue, ready_at) values (${companyId}, ${queue}, now())`);
}

async function rows({ database }: TestDatabase) {
  return database.query<{ company_id: string; leased_until: Date | null; is_ready: boolean }>(sql`
    select company_id, leased_until, ready_at <= now() as is_ready from work where queue = ${queue}`);
}

async function throughProxy(db: TestDatabase) {
  const proxy = await TcpProxy.before(db.url);
  const database = new Database({
    url: proxy.rewrite(db.url),
    poolSize: 1,
    connectTimeoutMs: 1_000,
  });
  onTestFinished(async () => {
    proxy.cut();
    await database.close();
    await proxy.close().catch(() => {});
  });
  return { proxy, database };
}
