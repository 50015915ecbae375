import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerAccount } from "./account.ts";
import { EmbeddedUnavailable } from "./errors.ts";
import { type Accounts, type Layout, readLog, readPort, rememberPort } from "./layout.ts";
import { chooseFreePort } from "./ports.ts";
import { discardMisleadingPidFile, runningPostmaster, shutDown } from "./postmaster.ts";
import { serverEnvironment } from "./run.ts";
import { Session } from "./session.ts";

export interface LaunchPlan {
  readonly layout: Layout;
  readonly account: ServerAccount;
  readonly postgres: string;
  readonly accounts: Accounts;
  readonly settings: Readonly<Record<string, string>>;
}

export interface Running {
  readonly pid: number;
  readonly port: number;
  readonly session: Session;
}

/** Crash recovery replays at most some 2 GB of log (max_wal_size), which fits on ordinary disks. */
const START_LIMIT_MS = 60_000;
const POLL_MS = 25;
const RETRY_MS = 100;
const LOG_ROTATION_BYTES = 16 * 1024 * 1024;

/** For a machine with 1 GB of memory and up; everything about durability stays at its default, on. */
const SETTINGS = {
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  max_connections: "100",
  wal_compression: "on",
};

/**
 * Reasons to try again: the last server's processes have yet to notice its end, another starter won,
 * or another process on its way out stopped the server before anybody had connected.
 */
function isPassingFailure(told: string): boolean {
  const isLocked = told.includes("lock file ") && /already exists|is empty/.test(told);
  return isLocked || /pre-existing shared memory block|shutdown request/.test(told);
}
const PORT_TAKEN = /Address already in use/;

/**
 * Joins the cluster's running server, or starts one. Of several processes doing this at once one
 * server wins, by PostgreSQL's own lock file, and everybody joins that. `keepPort` insists on a port
 * for the sake of those who hold a URL already.
 */
export async function bringUp(
  plan: LaunchPlan,
  stop: AbortSignal,
  keepPort?: number,
): Promise<Running> {
  const { layout } = plan;
  const deadline = Date.now() + START_LIMIT_MS;
  let port = keepPort ?? (await readPort(layout)) ?? (await chooseFreePort());
  let attempt: Attempt | undefined;
  let problem = "";
  try {
    while (Date.now() < deadline) {
      stop.throwIfAborted();
      const postmaster = await runningPostmaster(layout.cluster);
      if (postmaster?.accepting === true) {
        const session = await openSession(postmaster.port, plan.accounts);
        if (session instanceof Session) {
          await rememberPort(layout, postmaster.port);
          return { pid: postmaster.pid, port: postmaster.port, session };
        }
        problem = session;
      } else if (postmaster === undefined && attempt?.ended !== false) {
        if (attempt !== undefined) {
          port = await portForNextAttempt(layout, attempt, port, keepPort);
          await sleep(RETRY_MS, undefined, { signal: stop });
        }
        await discardMisleadingPidFile(layout.cluster);
        attempt = await spawnPostmaster(plan, port);
      }
      await sleep(POLL_MS, undefined, { signal: stop });
    }
  } catch (error) {
    // A start that is given up is stopped as well: its server would come up with nobody left to stop it.
    if (stop.aborted && attempt?.ended === false) await shutDown(attempt.pid);
    throw error;
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL did not accept connections within ${START_LIMIT_MS / 1000} seconds. It may still be recovering: try again later. ${problem}\n${await readLog(layout)}\n`,
  );
}

/** A started postmaster; when it has ended, `interrupted` says that somebody made it end. */
interface Attempt {
  readonly pid: number;
  readonly logStart: number;
  ended: boolean;
  interrupted: boolean;
}

async function spawnPostmaster(plan: LaunchPlan, port: number): Promise<Attempt> {
  const settings = {
    ...SETTINGS,
    ...plan.settings,
    // Loopback only and no socket file, whose path could be too long for the operating system.
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
  };
  const { program, args, ...identity } = plan.account.command(plan.postgres, [
    "-D",
    plan.layout.cluster,
    "-p",
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  const log = await openLog(plan);
  try {
    const logStart = (await log.stat()).size;
    // Its own session: Ctrl-C in a terminal reaches us alone, and we decide when the server stops.
    const child = spawn(program, args, {
      ...identity,
      env: serverEnvironment(),
      cwd: "/",
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    const attempt: Attempt = { pid: child.pid ?? 0, logStart, ended: false, interrupted: false };
    child.once("exit", (code, signal) => {
      attempt.ended = true;
      attempt.interrupted = signal !== null || code === 0;
    });
    await once(child, "spawn");
    child.unref();
    return attempt;
  } finally {
    await log.close();
  }
}

async function openLog({ layout, account }: LaunchPlan) {
  let log = await open(layout.logFile, "a", 0o600);
  if ((await log.stat()).size > LOG_ROTATION_BYTES) {
    await log.close();
    await rename(layout.logFile, `${layout.logFile}.old`);
    log = await open(layout.logFile, "a", 0o600);
  }
  if (account.owner !== undefined) await log.chown(account.owner.uid, account.owner.gid);
  return log;
}

async function portForNextAttempt(
  layout: Layout,
  failed: Attempt,
  port: number,
  keepPort: number | undefined,
): Promise<number> {
  const said = await readLog(layout, failed.logStart);
  if (failed.interrupted || isPassingFailure(said)) return port;
  if (!PORT_TAKEN.test(said)) {
    throw new EmbeddedUnavailable(`PostgreSQL did not start; its log says:\n${said}\n`);
  }
  if (keepPort === undefined) return await chooseFreePort();
  throw new EmbeddedUnavailable(`PostgreSQL needs port ${port}, which another program holds.`);
}

/** A session, or what is in its way; a password that is wrong now will be wrong later, and throws. */
async function openSession(port: number, accounts: Accounts): Promise<Session | string> {
  try {
    return (await Session.open(port, accounts)) ?? "It does not accept connections yet.";
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) throw error;
    return String(error);
  }
}
