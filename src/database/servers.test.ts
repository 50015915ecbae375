import { expect, onTestFinished } from "vitest";
import { type TestDatabase, test } from "../../test/fixtures.ts";
import { holdLock } from "../../test/locks.ts";
import { patience } from "../../test/receiver.ts";
import { TcpProxy } from "../../torture/network/tcp-proxy.ts";
import { Database } from "./database.ts";
import { DatabaseUnavailable, DatabaseUnreachable, UnusableServer } from "./errors.ts";
import { reachDatabase } from "./reach-database.ts";
import { Servers } from "./servers.ts";
import { Signals } from "./signals.ts";
import { sql } from "./sql.ts";

test("whoever finds a server unusable leaves it once, and comes back to it after all others", () => {
  const servers = new Servers("postgres://a,b,c/cauri");
  const first = servers.current;
  for (let count = 0; count < 3; count += 1)
    servers.leave(first, new UnusableServer(first.name, "is a standby"));

  expect(servers.current.name).toBe("b");
  servers.leave(servers.current, new UnusableServer("b", "cannot be reached"));
  servers.leave(servers.current, new UnusableServer("c", "cannot be reached"));
  expect(servers.current.name).toBe("a");
  expect(servers.problems).toEqual([
    "a is a standby",
    "b cannot be reached",
    "c cannot be reached",
  ]);
});

test("one connection tries every server: one that is away, one that says nothing, and the right one", async ({
  db,
}) => {
  const { away, mute, url } = await threeServers(db);
  const database = new Database({ url, poolSize: 4 });
  onTestFinished(() => database.close());

  const begunMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => database.query(sql`select 1 as one`)),
  );
  expect(answers.flat()).toEqual(Array.from({ length: 4 }, () => ({ one: 1 })));
  // A second for the one that says nothing; the rest is for a machine that is busy.
  expect(performance.now() - begunMs).toBeLessThan(60_000);
  expect(database.servers.problems).toEqual([
    expect.stringContaining("cannot be reached"),
    expect.stringContaining("no answer within 1000 ms"),
  ]);

  // When the right one goes away another one takes over, for what is written too.
  away.heal();
  mute.heal();
  await db.database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await expect
    .poll(() => database.execute(sql`select 1 as one`).catch(() => []), patience)
    .toEqual([{ one: 1 }]);
});

test("while no server can be used one looks for all: a hundred requests ask each of them once, and are refused for it", async ({
  db,
}) => {
  const proxies = await Promise.all(Array.from({ length: 2 }, () => TcpProxy.before(db.url)));
  const url = db.url.replace(
    new URL(db.url).host,
    proxies.map((proxy) => new URL(proxy.rewrite(db.url)).host).join(","),
  );
  const database = new Database({ url, poolSize: 20 });
  onTestFinished(async () => {
    await database.close();
    for (const proxy of proxies) await proxy.close();
  });
  const askOften = () =>
    Promise.allSettled(Array.from({ length: 100 }, () => database.query(sql`select 1 as one`)));
  expect((await askOften()).every(({ status }) => status === "fulfilled")).toBe(true);

  for (const proxy of proxies) {
    proxy.isAway = true;
    proxy.cut();
  }
  // Until each connection of the pool is known to be broken, one request after the other finds out.
  await expect.poll(() => database.connections[0]?.idle).toBe(0);
  for (const proxy of proxies) proxy.asked = 0;
  const refused = await askOften();
  expect(refused.every((one) => one.status === "rejected")).toBe(true);
  for (const one of refused)
    if (one.status === "rejected") expect(one.reason).toBeInstanceOf(DatabaseUnavailable);
  expect(proxies.map(({ asked }) => asked)).toEqual([1, 1]);

  for (const proxy of proxies) proxy.isAway = false;
  await expect
    .poll(() => database.query(sql`select 1 as one`).catch(() => []), patience)
    .toEqual([{ one: 1 }]);
  expect((await askOften()).every(({ status }) => status === "fulfilled")).toBe(true);
});

test("while writes do not come back the other servers are asked where they stand, and otherwise never", async ({
  db,
}) => {
  const proxies = await Promise.all(Array.from({ length: 2 }, () => TcpProxy.before(db.url)));
  const [first, second] = proxies;
  const hosts = proxies.map((proxy) => new URL(proxy.rewrite(db.url)).host);
  const url = db.url.replace(new URL(db.url).host, hosts.join(","));
  const database = new Database({ url, poolSize: 2 });
  onTestFinished(async () => {
    await database.close();
    for (const proxy of proxies) await proxy.close();
  });
  await db.database.execute(sql`create table held as select 1 as place`);
  const write = () => database.execute(sql`update held set place = place + 1 returning place`);
  expect(await write()).toEqual([{ place: 2 }]);
  expect(second?.asked).toBe(0);

  const letGo = await holdLock(db, "select from held");
  const waiting = write();
  await expect.poll(() => second?.asked, patience).toBeGreaterThan(1);
  await letGo();
  // The other one stands on the same timeline, so whoever waits goes on where it is.
  expect(await waiting).toEqual([{ place: 3 }]);
  expect(first?.asked).toBe(1);
});

test("the listening connection finds its server among several too", async ({ db }) => {
  const { url } = await threeServers(db);
  const signals = new Signals(url, db.database);
  onTestFinished(() => signals.close());

  await signals.start();
  expect(signals.isListening).toBe(true);
});

test("503: of several servers, one that lets nobody write is passed over; alone, it is read from", async ({
  db,
}) => {
  const name = new URL(db.url).pathname.slice(1);
  await db.database.query({
    text: `alter database ${name} set default_transaction_read_only = on`,
    values: [],
  });
  const strict = new Database({ url: `${db.url}?target_session_attrs=read-write`, poolSize: 1 });
  const alone = new Database({ url: db.url, poolSize: 1 });
  onTestFinished(() => Promise.all([strict.close(), alone.close()]).then(() => undefined));

  await expect(strict.query(sql`select 1`)).rejects.toThrow(DatabaseUnavailable);
  expect(strict.servers.problems).toEqual([expect.stringContaining("lets nobody write")]);
  expect(await alone.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

test("a start waits for its database, says what is in the way when that changes, and gives up in time", async ({
  db,
}) => {
  const { away, mute, url } = await threeServers(db);
  const database = new Database({ url: withoutTheLast(url), poolSize: 1 });
  onTestFinished(() => database.close());
  const said: string[] = [];
  const log = (message: string) => said.push(message);

  const refused = reachDatabase(database, 1_500, log);
  await expect(refused).rejects.toThrow(DatabaseUnreachable);
  await expect(refused).rejects.toThrow(/tried for 2 seconds.*cannot be reached.*no answer/s);
  expect(said[0]).toMatch(/cannot be used yet: .* cannot be reached/);

  const reached = reachDatabase(database, 60_000, log);
  away.heal();
  mute.heal();
  await reached;
});

test("a wrong password is told at once, however long a start may wait", async ({ db }) => {
  const url = new URL(db.url);
  url.password = "guess";
  const database = new Database({ url: url.href, poolSize: 1 });
  onTestFinished(() => database.close());

  await expect(reachDatabase(database, 600_000, () => {})).rejects.toThrow("password");
});

/** The same database behind an address that is away, one that is mute, and its own. */
async function threeServers({ url }: TestDatabase) {
  const away = await TcpProxy.before(url);
  const mute = await TcpProxy.before(url);
  onTestFinished(async () => {
    await away.close().catch(() => {});
    await mute.close().catch(() => {});
  });
  away.isAway = true;
  mute.isMute = true;
  const hosts = [away, mute].map((proxy) => new URL(proxy.rewrite(url)).host);
  const all = [...hosts, new URL(url).host].join(",");
  return { away, mute, url: url.replace(new URL(url).host, all) };
}

function withoutTheLast(url: string): string {
  return url.replace(/,[^,/]+\//, "/");
}
