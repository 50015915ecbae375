import { expect } from "vitest";
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
