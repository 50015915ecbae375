import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ServerAccount } from "../../src/database/embedded/account.ts";
import type { Account } from "../../src/database/embedded/layout.ts";
import { serverEnvironment } from "../../src/database/embedded/run.ts";

export interface ServerPlace {
  readonly cluster: string;
  readonly logFile: string;
  readonly port: number;
  readonly postgres: string;
  readonly account: ServerAccount;
  readonly admin: Account;
}

const startLimitMs = 60_000;
const pollMs = 50;
/** Enough log for a standby that is made while the campaign goes on. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "64MB",
  wal_keep_size: "512MB",
  max_wal_size: "2GB",
  // A standby that lost its primary looks for it again at once.
  wal_retrieve_retry_interval: "200ms",
};

/** One PostgreSQL of a cluster, which is started, stopped, frozen and killed as the campaign wants. */
export class Server {
  readonly place: ServerPlace;
  #process: ChildProcess | undefined;
  #frozen: number[] = [];

  constructor(place: ServerPlace) {
    this.place = place;
  }

  get name(): string {
    return `127.0.0.1:${this.place.port}`;
  }

  /** Until it answers, as a primary or as a standby. What a killed one has left behind may need a moment to end. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const deadline = performance.now() + startLimitMs;
    while (performance.now() < deadline) {
      if (this.#process?.exitCode !== null) this.#process = await this.#spawn(more);
      await sleep(pollMs);
      if (await this.ask("select 1").catch(() => undefined)) return;
    }
    throw new Error(`the PostgreSQL of ${this.place.cluster} did not start`);
  }

  async #spawn(more: Readonly<Record<string, string>>): Promise<ChildProcess> {
    const { cluster, port, postgres, account, logFile } = this.place;
    const { program, args, ...identity } = account.command(postgres, [
      "-D",
      cluster,
      "-p",
      String(port),
      ...Object.entries({ ...settings, ...more }).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]),
    ]);
    const log = await open(logFile, "a", 0o600);
    try {
      const child = spawn(program, args, {
        ...identity,
        env: serverEnvironment(),
        cwd: "/",
        stdio: ["ignore", log.fd, log.fd],
      });
      await once(child, "spawn");
      return child;
    } finally {
      await log.close();
    }
  }

  /** One statement of the superuser, on a connection of its own. */
  async ask<Row extends object = Record<string, unknown>>(statement: string): Promise<Row[]> {
    const { port, admin } = this.place;
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: admin.role,
      password: admin.password,
      database: "cauri",
      connectionTimeoutMillis: 2_000,
      query_timeout: 30_000,
    });
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** The end of the main process; the others notice by themselves that it is gone. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** An orderly stop: everything is on disk, and the standby has all of it. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
  }

  /** Every backend ends where it is, and the next start replays the log. */
  async stopAtOnce(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    this.thaw(child.pid);
    await ended;
  }

  /** All of its processes stand still: it neither answers nor refuses. */
  async freeze(): Promise<void> {
    const rows = await this.ask<{ pid: number }>(
      "select pid from pg_stat_activity where pid <> pg_backend_pid()",
    );
    // The main process first: it makes no others any more.
    this.#frozen = [this.#process?.pid ?? 0, ...rows.map(({ pid }) => pid)].filter(
      (pid) => pid > 0 && signalTo(pid, "SIGSTOP"),
    );
  }

  thaw(main = this.#process?.pid): void {
    const frozen = this.#frozen;
    this.#frozen = [];
    for (const pid of [...frozen.filter((one) => one !== main), main])
      if (pid !== undefined) signalTo(pid, "SIGCONT");
  }
}

/** False when it has ended meanwhile. */
function signalTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
