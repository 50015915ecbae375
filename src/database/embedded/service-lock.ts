import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { writePrivateFile } from "../../kernel/private-file.ts";
import { AlreadyRunning, LostServiceLock } from "./errors.ts";

/** Any number that nothing else in the embedded database uses. */
const serviceLock = 7_260_418;
const retryDelayMs = 1_000;
const connectLimitMs = 5_000;
/** A connection of our own that was lost may hold the lock until the server has noticed. */
const refusalsMax = 3;

export interface ServiceLock {
  /** Tells a second start where this one is. */
  announce(url: string): Promise<void>;
  /** Rejects when the lock was lost and another service has it: then this one has to go. */
  readonly lost: Promise<never>;
  release(): Promise<void>;
}

/**
 * One service per data folder. The lock is a session lock of the embedded database itself: it ends with
 * the process however that ends, so a `kill -9` leaves nothing to clean up. When the database restarts
 * under the service, the lock is taken again, unless somebody else was faster.
 */
export async function takeServiceLock(databaseUrl: string, dataDir: string): Promise<ServiceLock> {
  const path = join(dataDir, "service.json");
  let isReleased = false;
  let client = await tryLock(databaseUrl);
  if (client === undefined) throw new AlreadyRunning(dataDir, await readPlace(path));

  let tellLost: (error: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    tellLost = reject;
  });
  // Whoever waits for it hears of it; nobody has to.
  lost.catch(() => {});
  const retake = (refusals: number) => {
    if (isReleased) return;
    if (refusals === refusalsMax) {
      void readPlace(path).then((place) => tellLost(new LostServiceLock(dataDir, place)));
      return;
    }
    setTimeout(() => {
      tryLock(databaseUrl).then(
        (taken) => (taken === undefined ? retake(refusals + 1) : watch(taken)),
        () => retake(refusals),
      );
    }, retryDelayMs).unref();
  };
  const watch = (taken: pg.Client) => {
    client = taken;
    if (isReleased) void taken.end().catch(() => {});
    taken.once("error", () => retake(0));
  };
  watch(client);

  return {
    lost,
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
