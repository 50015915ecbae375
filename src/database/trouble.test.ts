import { expect, onTestFinished, test as plainTest } from "vitest";
import { makeDatabase, startService, type TestDatabase, test } from "../../test/fixtures.ts";
import { patience } from "../../test/receiver.ts";
import { CommitProbe } from "./commit-probe.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable } from "./errors.ts";
import { sql } from "./sql.ts";

test("503: a write that found the disk full is remembered, by all pools, until the database takes room again", async ({
  db,
}) => {
  const service = await startService(db);
  onTestFinished(() => service.stop());
  expect((await service.call("GET", "/readyz")).status).toBe(200);

  // Small commits go on, and nothing that needs room: no file may be written to where sorting needs one.
  await setForAll(db, "temp_file_limit = 0");
  await expect(findFullDisk(db.database.fork())).rejects.toThrow(DatabaseUnavailable);
  await db.database.execute(sql`update installation set is_settled = is_settled`);
  // A commit of just before stands for 100 ms more.
  await expect
    .poll(async () => {
      const { status, body } = await service.call("GET", "/readyz");
      return [status, body];
    }, patience)
    .toEqual([
      503,
      {
        status: "unavailable",
        reason: "disk_full",
        problem: "The disk of the database is full.",
      },
    ]);
  await expect.poll(() => isUp(service.url), patience).toBe("0");
  expect((await service.call("GET", "/readyz")).status).toBe(503);

  await setForAll(db, "temp_file_limit = -1");
  await expect.poll(async () => (await service.call("GET", "/readyz")).status, patience).toBe(200);
  await expect.poll(() => isUp(service.url), patience).toBe("1");
});

test("503: a database that may only be read is told as that, and its metric agrees", async ({
  db,
}) => {
  const service = await startService(db);
  onTestFinished(() => service.stop());
  await setForAll(db, "default_transaction_read_only = on");
  const { status, body } = await service.call("GET", "/readyz");
  expect([status, body.reason]).toEqual([503, "read_only"]);
  await expect.poll(() => isUp(service.url), patience).toBe("0");
});

plainTest(
  "connections that are all taken are told as that: those of the server, and those of the node",
  async () => {
    const db = await makeDatabase();
    onTestFinished(() => db.drop());
    const name = new URL(db.url).pathname.slice(1);
    const role = `few_${name}`;
    await statement(db, `create role ${role} login password 'few' connection limit 1`);
    await statement(db, `grant all on schema public to ${role}`);
    await statement(db, `grant all on all tables in schema public to ${role}`);
    const url = new URL(db.url);
    url.username = role;
    url.password = "few";
    const [first, second] = [1, 2].map(() => new Database({ url: url.href, poolSize: 1 }));
    if (first === undefined || second === undefined) throw new Error("there are two");
    await first.query(sql`select 1`);
    expect(await new CommitProbe(second, { goodForMs: 0 }).findTrouble()).toMatchObject({
      reason: "connections_exhausted",
      problem: expect.stringContaining("max_connections") as string,
    });
    await second.close();

    // The only one of the node is in somebody's hands.
    const probe = new CommitProbe(first, { goodForMs: 0, limitMs: 200 });
    let release: () => void = () => {};
    const held = first.transaction(() => new Promise<void>((resolve) => (release = resolve)));
    await expect.poll(() => first.connections[0]?.inUse, patience).toBe(1);
    expect(await probe.findTrouble()).toMatchObject({
      reason: "connections_exhausted",
      problem: expect.stringContaining("All 1 connections of this node") as string,
    });
    release();
    await held;
    await expect.poll(() => probe.findTrouble(), patience).toBeUndefined();
    await first.close();
    await statement(db, `drop owned by ${role}`);
    await statement(db, `drop role ${role}`);
  },
);

async function findFullDisk(database: Database): Promise<void> {
  await database.execute({
    text: "do $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$",
    values: [],
  });
}

/** For sessions that begin from now on, and those that are open end. */
async function setForAll(db: TestDatabase, setting: string): Promise<void> {
  const name = new URL(db.url).pathname.slice(1);
  await statement(
    db,
    `set default_transaction_read_only = off; alter database ${name} set ${setting}`,
  );
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await statement(db, `set ${setting}`);
}

function statement({ database }: TestDatabase, text: string): Promise<object[]> {
  return database.query({ text, values: [] });
}

async function isUp(address: string): Promise<string | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return /^cauri_database_up (\S+)$/m.exec(text)?.[1];
}
