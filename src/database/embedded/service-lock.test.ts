import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type TestDatabase, test } from "../../../test/fixtures.ts";
import { patience } from "../../../test/receiver.ts";
import { sql } from "../sql.ts";
import { AlreadyRunning, LostServiceLock } from "./errors.ts";
import { takeServiceLock } from "./service-lock.ts";

test("a second service on the same folder is refused and told where the first one is", async ({
  db,
}) => {
  const folder = await makeFolder();
  const lock = await takeServiceLock(db.url, folder);
  await lock.announce("http://127.0.0.1:3000");
  await expect(takeServiceLock(db.url, folder)).rejects.toThrow(AlreadyRunning);
  await expect(takeServiceLock(db.url, folder)).rejects.toThrow("http://127.0.0.1:3000");

  await lock.release();
  const next = await takeServiceLock(db.url, folder);
  await next.release();
});

test("when the connection is lost the lock is taken again, also when it is lost once more in the middle of that", async ({
  db,
}) => {
  const { url, cut, cutNextLock } = await startCutter(db.url);
  const lock = await takeServiceLock(url, await makeFolder());
  expect(await holders(db)).toBe(1);

  const isCut = cutNextLock();
  cut();
  await expect.poll(() => holders(db), patience).toBe(0);
  await isCut;
  await expect.poll(() => holders(db), patience).toBe(1);
  await lock.release();
});

test("a lock that another service took meanwhile is told as lost, and where that one is", async ({
  db,
}) => {
  const { url, cut } = await startCutter(db.url);
  const folder = await makeFolder();
  const lock = await takeServiceLock(url, folder);
  cut();
  await expect.poll(() => holders(db), patience).toBe(0);
  const other = await takeServiceLock(db.url, folder);
  await other.announce("http://127.0.0.1:3000");

  await expect(lock.lost).rejects.toThrow(LostServiceLock);
  await expect(lock.lost).rejects.toThrow("http://127.0.0.1:3000");
  await lock.release();
  await other.release();
});

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-lock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function holders({ database }: TestDatabase): Promise<number> {
  const rows = await database.query(sql`
    select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and a.backend_type = 'client backend'
      and l.database = (select oid from pg_database where datname = current_database())`);
  return rows.length;
}

/** Between a service and its database: it breaks connections, also just when the lock is asked for. */
async function startCutter(databaseUrl: string) {
  const upstreamUrl = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let onLock: (() => void) | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on("data", (chunk) => {
      if (onLock !== undefined && chunk.includes("pg_try_advisory_lock")) {
        onLock();
        onLock = undefined;
        client.destroy();
      } else upstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    cut,
    cutNextLock: () =>
      new Promise<void>((resolve) => {
        onLock = resolve;
      }),
  };
}
