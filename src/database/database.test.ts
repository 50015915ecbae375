import { expect, onTestFinished } from "vitest";
import { test as base } from "../../test/fixtures.ts";
import { Database, type Queryable } from "./database.ts";
import { sql } from "./sql.ts";

/** A node of one connection whose statements are prepared before a migration adds a column to their table. */
const test = base.extend<{ node: Database; addColumn: () => Promise<void> }>({
  node: async ({ db }, use) => {
    await db.database.query(sql`create table numbers (n integer)`);
    const node = new Database({ url: db.url, poolSize: 1 });
    await use(node);
    await node.close();
  },
  addColumn: async ({ db }, use) => {
    await use(async () => {
      await db.database.query(sql`alter table numbers add column m integer default 7`);
    });
  },
});

const add = (database: Pick<Database, "execute">) =>
  database.execute(sql`insert into numbers (n) values (1) returning *`);
const read = (database: Queryable) => database.query(sql`select * from numbers`);

test("a statement that was prepared before its table got another column is read all the same", async ({
  node,
  addColumn,
}) => {
  await read(node);
  await addColumn();

  expect(await read(node)).toEqual([]);
});

test("a statement that was prepared before its table got another column writes once", async ({
  node,
  addColumn,
}) => {
  await add(node);
  await addColumn();

  expect(await add(node)).toEqual([{ n: 1, m: 7 }]);
  expect(await read(node)).toHaveLength(2);
});

test("a transaction with such a statement in its middle is run again and commits once", async ({
  node,
  addColumn,
}) => {
  const work = () =>
    node.transaction(async (tx) => {
      await tx.query(sql`insert into numbers (n) values (1)`);
      return read(tx);
    });
  await work();
  await addColumn();

  expect(await work()).toHaveLength(2);
  expect(await read(node)).toHaveLength(2);
});

/** How often this statement is told that it has lost before it is let through. A sequence is not rolled back. */
const losing = async (database: Queryable) => {
  await database.query(sql`create sequence tries`);
  await database.query(sql`
    create function lose(times bigint) returns bigint language plpgsql as $$
    begin
      if nextval('tries') <= times then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return times;
    end $$`);
};

test("of two transactions that wait for each other both commit, once", async ({ node, db }) => {
  await db.database.query(sql`insert into numbers (n) values (1), (2)`);
  const runs: string[] = [];
  let bothHold = () => {};
  const barrier = new Promise<void>((resolve) => {
    bothHold = resolve;
  });
  const raise = (database: Database, name: string, first: number, second: number) =>
    database.transaction(async (tx) => {
      await tx.query(sql`update numbers set n = n + 10 where n % 10 = ${first}`);
      runs.push(name);
      if (runs.length === 2) bothHold();
      await barrier;
      await tx.query(sql`update numbers set n = n + 10 where n % 10 = ${second}`);
    });
  await Promise.all([raise(node, "one", 1, 2), raise(db.database, "two", 2, 1)]);

  expect(runs.length).toBeGreaterThan(2);
  expect(await read(node)).toEqual(expect.arrayContaining([{ n: 21 }, { n: 22 }]));
});

test("a statement that loses four times writes once; one that loses five times is refused", async ({
  node,
}) => {
  await losing(node);
  const addLosing = (times: number) =>
    node.execute(sql`insert into numbers (n) values (lose(${times})) returning n`);

  expect(await addLosing(4)).toEqual([{ n: 4 }]);
  await expect(addLosing(10)).rejects.toMatchObject({ code: "40P01" });
  expect(await read(node)).toEqual([{ n: 4 }]);
});

test("a connection that may be used three times is then replaced, in a fork too; others stay", async ({
  db,
  node,
}) => {
  const renewing = new Database({ url: db.url, poolSize: 1, connectionUsesMax: 3 });
  onTestFinished(() => renewing.close());
  const serversOf = async (database: Database) => {
    const pids: number[] = [];
    for (let uses = 0; uses < 7; uses += 1) {
      const rows = await database.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      pids.push(rows[0]?.pid ?? 0);
    }
    return pids.map((pid) => [...new Set(pids)].indexOf(pid));
  };

  expect(await serversOf(renewing)).toEqual([0, 0, 0, 1, 1, 1, 2]);
  expect(await serversOf(renewing.fork())).toEqual([0, 0, 0, 1, 1, 1, 2]);
  expect(await serversOf(node)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
