import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { writePrivateFile } from "../../kernel/private-file.ts";
import { AlreadyRunning } from "./errors.ts";

/** Any number that nothing else in the embedded database uses. */
const serviceLock = 7_260_418;
const retryDelayMs = 1_000;
const connectLimitMs = 5_000;

export interface ServiceLock {
  /** Tells a second start where this one is. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * One service per data folder. The lock is a session lock of the embedded database itself: it ends with
 * the process however that ends, so a `kill -9` leaves nothing to clean up. When the database restarts
 * under the service, the lock is taken again.
 */
export async function takeServiceLock(databaseUrl: string, dataDir: string): Promise<ServiceLock> {
  const path = join(dataDir, "service.json");
  let isReleased = false;
  let client = await tryLock(databaseUrl);
  if (client === undefined) throw new AlreadyRunning(dataDir, await readPlace(path));

  const retake = () => {
    if (isReleased) return;
    setTimeout(() => {
      tryLock(databaseUrl).then(
        (taken) => watch(taken),
        () => retake(),
      );
    }, retryDelayMs).unref();
  };
  const watch = (taken: pg.Client | undefined) => {
    client = taken;
    taken?.on("error", retake);
  };
  watch(client);

  return {
    announce: (url) => writePrivateFile(path, `${JSON.stringify({ pid: process.pid, url })}\n`),
    async release() {
      isReleased = true;
      await client?.end().catch(() => {});
    },
  };
}

async function tryLock(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `cauri:${process.pid}`,
    keepAlive: true,
    connectionTimeoutMillis: connectLimitMs,
  });
  // The statement tells of a connection that is lost under way; the event besides would end the process.
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_lock($1) as taken",
    [serviceLock],
  );
  if (rows[0]?.taken === true) return client;
  await client.end();
  return undefined;
}

async function readPlace(path: string): Promise<{ pid?: number; url?: string }> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as { pid?: number; url?: string };
  } catch {
    return {};
  }
}
