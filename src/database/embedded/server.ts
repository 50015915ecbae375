import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { explained } from "./errors.ts";
import { bringUp, type LaunchPlan, type Running } from "./launch.ts";
import { prepareLayout, readOrMakeAccounts, readPort } from "./layout.ts";
import { isAlive, type Postmaster, runningPostmaster, shutDown } from "./postmaster.ts";
import { databaseUrl, Session } from "./session.ts";

export interface EmbeddedOptions {
  /** Holds everything the server keeps; made if missing, for this user only. */
  readonly dataDir: string;
  /** Hears one plain sentence per notable event, never the password. */
  readonly log: (message: string) => void;
  /** Further PostgreSQL settings, for a server that this call starts. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedServer {
  readonly url: string;
  /** The same database for its superuser: for tests and measurements, never for the service. */
  readonly adminUrl: string;
  /** Restart it whenever it dies, until stop(). The long-running service calls this; short commands do not. */
  supervise(): void;
  /** Shuts the server down (fast mode, waits for it), unless another process is still using it. */
  stop(): Promise<void>;
}

const WATCH_MS = 100;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

/** Joins the server of this data folder, or starts it, after creating its database if need be. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, settings = {} } = options;
  try {
    const binaries = await findBinaries();
    const layout = await prepareLayout(options.dataDir);
    const account = await chooseAccount(layout, binaries);
    const accounts = await readOrMakeAccounts(layout);
    const { admin } = accounts;
    await ensureCluster({ layout, account, admin, log, initdb: binaries.initdb });
    const plan = { layout, account, accounts, settings, postgres: binaries.postgres };
    const earlierPort = await readPort(layout);
    const running = await bringUp(plan, new AbortController().signal);
    if (earlierPort !== undefined && earlierPort !== running.port) {
      log(`Port ${earlierPort} was taken; the embedded PostgreSQL now listens on ${running.port}.`);
    }
    return new Embedded(plan, running, log);
  } catch (error) {
    throw explained(error, options.dataDir);
  }
}

class Embedded implements EmbeddedServer {
  readonly url: string;
  readonly adminUrl: string;
  readonly #plan: LaunchPlan;
  readonly #port: number;
  readonly #log: (message: string) => void;
  readonly #stop = new AbortController();
  #running: Running;
  #supervision: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(plan: LaunchPlan, running: Running, log: (message: string) => void) {
    this.url = databaseUrl(running.port, plan.accounts.own);
    this.adminUrl = databaseUrl(running.port, plan.accounts.admin);
    this.#plan = plan;
    this.#port = running.port;
    this.#running = running;
    this.#log = log;
  }

  supervise(): void {
    this.#supervision ??= this.#keepRunning(this.#stop.signal);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#shutDownUnlessUsed();
    return this.#stopped;
  }

  async #keepRunning(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      if (!this.#running.session.lost && isAlive(this.#running.pid)) {
        await pause(WATCH_MS, stop);
      } else {
        this.#log("The embedded PostgreSQL went away unasked; bringing it back.");
        await this.#running.session.close();
        await this.#bringBack(stop);
      }
    }
  }

  async #bringBack(stop: AbortSignal): Promise<void> {
    for (let backoffMs = FIRST_BACKOFF_MS; !stop.aborted; backoffMs *= 2) {
      try {
        this.#running = await this.#bringUpOnSamePort(stop);
        this.#log(`The embedded PostgreSQL answers again on port ${this.#port}.`);
        return;
      } catch (error) {
        if (stop.aborted) return;
        this.#log(`The embedded PostgreSQL did not come back: ${String(error)}`);
        await pause(Math.min(backoffMs, LONGEST_BACKOFF_MS), stop);
      }
    }
  }

  async #bringUpOnSamePort(stop: AbortSignal): Promise<Running> {
    const running = await bringUp(this.#plan, stop, this.#port);
    if (running.port === this.#port) return running;
    await running.session.close();
    throw new Error(
      `another process started it on port ${running.port} instead of ${this.#port}; restart this service.`,
    );
  }

  async #shutDownUnlessUsed(): Promise<void> {
    this.#stop.abort();
    // A restart under way has to end first, or its server would outlive this call.
    await this.#supervision;
    const { cluster } = this.#plan.layout;
    const postmaster = await runningPostmaster(cluster);
    try {
      if (postmaster === undefined) return;
      if (await this.#mayStop(postmaster)) await shutDown(postmaster.pid);
      else this.#log("The embedded PostgreSQL stays up: another process is using it.");
    } catch (error) {
      // It may have died between the question and the answer, which is as good as stopped.
      if ((await runningPostmaster(cluster)) !== undefined) throw error;
    } finally {
      await this.#running.session.close();
    }
  }

  async #mayStop(postmaster: Postmaster): Promise<boolean> {
    // Nobody is connected to a server that is still starting or already stopping.
    if (!postmaster.accepting) return true;
    const claimed = await this.#running.session.claim().catch(() => undefined);
    if (claimed !== undefined) return claimed;
    // The session was lost together with an earlier server, and somebody has started this one.
    const session = await Session.open(postmaster.port, this.#plan.accounts);
    if (session === undefined) return true;
    this.#running = { ...this.#running, session };
    return await session.claim();
  }
}

/** Waiting does not keep the process running, and an abort ends it early without an error. */
async function pause(durationMs: number, stop: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
}
