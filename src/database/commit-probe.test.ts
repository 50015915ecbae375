import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { startService, type TestDatabase, test } from "../../test/fixtures.ts";
import { holdLock } from "../../test/locks.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { CommitProbe } from "./commit-probe.ts";
import { Database } from "./database.ts";
import { sql } from "./sql.ts";

test("a database that commits is ready; one that lets nobody write or is away is not", async ({
  db,
}) => {
  const { proxy, database } = await throughProxy(db);
  const probe = new CommitProbe(database, { goodForMs: 0 });
  expect(await probe.findTrouble()).toBeUndefined();

  await database.query(sql`set default_transaction_read_only = on`);
  expect(await probe.findTrouble()).toEqual({
    reason: "read_only",
    problem: "The database lets nobody write.",
  });
  // That connection was dropped.
  expect(await probe.findTrouble()).toBeUndefined();

  proxy.isAway = true;
  proxy.cut();
  await expect
    .poll(() => probe.findTrouble(), patience)
    .toEqual({ reason: "unreachable", problem: "The database cannot be reached." });
});

test("a commit that does not come back is told in time, at once to those who ask later, and never asked for twice", async ({
  db,
}) => {
  const { proxy, database } = await throughProxy(db);
  const probe = new CommitProbe(database, { limitMs: 1_000, goodForMs: 0 });
  await probe.findTrouble();
  const sent = database.roundTrips;

  proxy.isMute = true;
  const trouble = {
    reason: "not_committing",
    problem: "The database has not committed anything for 1 seconds.",
  };
  expect(await Promise.all([probe.findTrouble(), probe.findTrouble()])).toEqual([trouble, trouble]);
  // Timers may be a moment early.
  await sleep(20);
  const later = probe.findTrouble();
  expect(await Promise.race([later, setImmediate("not at once")])).toEqual(trouble);
  expect(database.roundTrips).toBe(sent + 1);
});

test("who asks for an answer soon is told that it commits as long as something was committed within the limit", async ({
  db,
}) => {
  const { proxy, database } = await throughProxy(db);
  const probe = new CommitProbe(database, { limitMs: 3_000, goodForMs: 0 });
  const further = { reason: "schema", problem: "too new" } as const;
  expect(await probe.findTroubleSoon(async () => further)).toEqual(further);
  expect(await probe.findTroubleSoon(async () => undefined)).toBeUndefined();

  proxy.isMute = true;
  expect(await probe.findTroubleSoon(async () => further)).toBeUndefined();
  await expect
    .poll(() => probe.findTroubleSoon(async () => undefined), patience)
    .toMatchObject({ reason: "not_committing" });
  // What was not committed is not taken for granted, however soon somebody wants to know.
  expect(await probe.findTroubleSoon(async () => undefined)).toMatchObject({
    reason: "not_committing",
  });
});

test("503: requests that pile up because nothing is committed are told so", async ({
  db,
  company: { id, accessToken: token },
}) => {
  const { proxy, database, url } = await throughProxy(db);
  const service = await startService(
    { url, database },
    { ROLES: "api", REQUESTS_IN_FLIGHT_MAX: "1" },
  );
  onTestFinished(() => service.stop());
  // So that the payment is on its way to be written, and has the only place, before the database falls silent.
  const unlock = await holdLock(db, `select 1 from books where company_id = '${id}'`);
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference: "rent" };
  const inHand = service.call("POST", "/v1/transactions", { token, body });
  await expect.poll(() => database.isWaiting, patience).toBe(true);
  proxy.isMute = true;

  const codeOf = async () => (await service.call("GET", "/v1/balance", { token })).body.code;
  await expect.poll(codeOf, { ...patience, interval: 100 }).toBe("database_waiting");
  await unlock();
  const written = () => db.database.query(sql`select 1 from transfers where reference = 'rent'`);
  await expect.poll(written, patience).toHaveLength(1);
  proxy.heal();
  proxy.cut();
  // The books were asked, and had it.
  expect((await inHand).status).toBe(201);
});

test("a company whose rows are held is no reason to say that the database hangs", async ({
  db,
  company,
}) => {
  const { database } = await throughProxy(db);
  const unlock = await holdLock(db, `select 1 from books where company_id = '${company.id}'`);
  const held = database.execute(sql`
    update books set last_event = last_event where company_id = ${company.id}`);
  // Far longer than a commit takes on the busiest machine: only one that waits for the row fails it.
  const probe = new CommitProbe(database, { limitMs: 60_000, goodForMs: 0 });
  await expect.poll(() => database.isWaiting, patience).toBe(true);

  for (let count = 0; count < 10; count += 1) {
    expect(await probe.findTrouble()).toBeUndefined();
    expect(probe.isHanging).toBe(false);
  }
  await unlock();
  await held;
});

async function throughProxy(db: TestDatabase) {
  const proxy = await TcpProxy.before(db.url);
  const url = proxy.rewrite(db.url);
  const database = new Database({ url, poolSize: 4, connectTimeoutMs: 1_000 });
  onTestFinished(async () => {
    proxy.cut();
    await database.close();
    await proxy.close().catch(() => {});
  });
  return { proxy, database, url };
}
