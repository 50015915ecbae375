import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { test } from "../../test/fixtures.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database, type Tx } from "./database.ts";
import { DatabaseUnavailable, OutcomeUnknown } from "./errors.ts";
import { lookAgain } from "./look-again.ts";
import { sql } from "./sql.ts";

const statementTimeoutMs = 200;

test("a statement that takes too long is cancelled, nothing is written, and the connection goes on", async ({
  db,
}) => {
  // Long enough for the cancellation to arrive before the client gives up by itself.
  const database = open(db.url, 1, 2_000);

  const late = database.execute(sql`
    insert into code_recipients (msisdn, last_asked_at) select '2250700000000', now() from pg_sleep(60)`);
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(await database.query(sql`select 1 from code_recipients`)).toEqual([]);
});

test("a connection that became a black hole is given up: reading is unavailable, writing unknown", async ({
  db,
}) => {
  const { proxy, database } = await openThroughProxy(db.url);
  for (const attempt of [
    { act: () => database.query(sql`select 1`), problem: DatabaseUnavailable },
    { act: () => database.execute(sql`select 1`), problem: OutcomeUnknown },
    {
      act: () => database.transaction((tx) => tx.query(sql`select 1`)),
      problem: DatabaseUnavailable,
    },
  ]) {
    await database.query(sql`select 1`);
    proxy.silence();
    await expect(attempt.act()).rejects.toBeInstanceOf(attempt.problem);
  }
  expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("a silent client does not keep its locks: its transaction is ended for it", async ({ db }) => {
  const { proxy, database } = await openThroughProxy(db.url);
  await db.database.query(sql`
    insert into code_recipients (msisdn, last_asked_at) values ('2250700000000', now())`);

  const lost = database.transaction(async (tx) => {
    await tx.query(sql`select 1 from code_recipients for update`);
    proxy.silence();
    await tx.query(sql`select 1`);
  });
  const refused = expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(
    db.database.transaction((tx) => tx.query(sql`select 1 as one from code_recipients for update`)),
  ).resolves.toEqual([{ one: 1 }]);
  await refused;
});

test("a commit that answers with a warning may not have reached its standby: unknown", async ({
  db,
}) => {
  const warn = sql`do $$ begin raise warning 'canceling wait for synchronous replication'; end $$`;

  await expect(db.database.execute(warn)).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(await db.database.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("a warning of an earlier statement says nothing of the next one on its connection", async ({
  db,
}) => {
  const database = open(db.url, 1);

  await database.query(sql`do $$ begin raise warning 'something else'; end $$`);
  expect(await database.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("connections that were opened while the database was read-only are not used afterwards", async ({
  db,
}) => {
  const name = new URL(db.url).pathname.slice(1);
  const insert = () =>
    db.database.execute(sql`
      insert into code_recipients (msisdn, last_asked_at) values ('2250700000000', now())`);
  const setReadOnly = (value: string) =>
    db.database.transaction(async (tx) => {
      await tx.query({ text: "set transaction read write", values: [] });
      await tx.query({
        text: `alter database ${name} set default_transaction_read_only = ${value}`,
        values: [],
      });
    });
  await setReadOnly("on");
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);

  const database = open(db.url);
  const write = () =>
    database.transaction((tx) =>
      tx.query(
        sql`insert into code_recipients (msisdn, last_asked_at) values ('2250700000001', now())`,
      ),
    );
  await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailable);
  await expect(database.execute(sql`delete from code_recipients`)).rejects.toBeInstanceOf(
    DatabaseUnavailable,
  );
  await setReadOnly("off");
  await expect(insert()).resolves.toEqual([]);
  await expect(write()).resolves.toEqual([]);
});

test("a lost outcome is looked for often, until the database is back", async ({ db }) => {
  let looks = 0;
  const look = async (tx: Tx) => {
    looks += 1;
    if (looks < 10) throw new Error("not yet");
    return tx.query(sql`select 1 as one`);
  };

  const found = await lookAgain(db.database, look, 30_000);
  expect(found).toEqual([{ one: 1 }]);
});

test("looking for a lost outcome ends, also when the database says nothing at all", async ({
  db,
}) => {
  const { proxy, database } = await openThroughProxy(db.url);
  proxy.isMute = true;

  const look = lookAgain(database, (tx) => tx.query(sql`select 1`), 500);
  const answer = await Promise.race([look, sleep(20_000, "still looking")]);
  expect(answer).toBeUndefined();
});

function open(url: string, poolSize = 2, timeoutMs = statementTimeoutMs): Database {
  const database = new Database({
    url,
    poolSize,
    connectTimeoutMs: 1_000,
    statementTimeoutMs: timeoutMs,
  });
  onTestFinished(() => database.close());
  return database;
}

async function openThroughProxy(url: string) {
  const proxy = await TcpProxy.before(url);
  const database = new Database({
    url: proxy.rewrite(url),
    poolSize: 1,
    connectTimeoutMs: 1_000,
    statementTimeoutMs,
  });
  onTestFinished(async () => {
    proxy.cut();
    await database.close();
    await proxy.close().catch(() => {});
  });
  return { proxy, database };
}
