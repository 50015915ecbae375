import { execFile } from "node:child_process";
import { chown, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { chooseAccount } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { type Accounts, prepareLayout } from "../../src/database/embedded/layout.ts";
import { chooseFreePort } from "../../src/database/embedded/ports.ts";
import { makeServer } from "./make-server.ts";
import { Server } from "./server.ts";

const run = promisify(execFile);
const catchUpLimitMs = 60_000;
const pollMs = 50;
/** What belongs to a running server, or is streamed anyway. */
const leftOut = new Set(["pg_wal", "pg_replslot", "postmaster.pid", "postmaster.opts"]);

/** A primary and a standby that confirms every commit: the smallest cluster that loses nothing with a machine. */
export class Pair {
  readonly #servers: readonly [Server, Server];
  readonly #accounts: Accounts;
  #primaryPlace = 0;

  private constructor(servers: readonly [Server, Server], accounts: Accounts) {
    this.#servers = servers;
    this.#accounts = accounts;
  }

  /** Both are there and in step. */
  static async make(folder: string): Promise<Pair> {
    const dataDirs = [join(folder, "one"), join(folder, "two")] as const;
    const { server, accounts } = await makeServer(dataDirs[0]);
    const { cluster, logFile } = await prepareLayout(dataDirs[1]);
    const port = await chooseFreePort();
    const other = new Server({ ...server.place, cluster, logFile, port });
    const pair = new Pair([server, other], accounts);
    await chooseAccount(await prepareLayout(dataDirs[1]), await findBinaries());
    await pair.primary.start();
    await pair.rebuildStandby();
    return pair;
  }

  get primary(): Server {
    return this.#servers[this.#primaryPlace] as Server;
  }

  get standby(): Server {
    return this.#servers[1 - this.#primaryPlace] as Server;
  }

  /** For a service: the one that is the standby at first comes first. */
  get url(): string {
    const { role, password } = this.#accounts.own;
    const names = this.#servers.map(({ name }) => name).toReversed();
    return `postgres://${role}:${password}@${names.join(",")}/cauri?target_session_attrs=read-write`;
  }

  urlOf({ name }: Server): string {
    const { role, password } = this.#accounts.own;
    return `postgres://${role}:${password}@${name}/cauri`;
  }

  /** What a manager of clusters does: the standby takes over, whatever became of the primary. */
  async promote(): Promise<void> {
    await this.standby.ask("alter system set synchronous_standby_names = ''");
    await this.standby.ask("select pg_reload_conf()");
    await this.standby.ask("select pg_promote(true, 60)");
    this.#primaryPlace = 1 - this.#primaryPlace;
  }

  /** Commits wait for a standby that is not there, until `confirm`. */
  async withhold(): Promise<void> {
    await this.#setSynchronous("nobody");
  }

  async confirm(): Promise<void> {
    await this.#setSynchronous("*");
  }

  async #setSynchronous(names: string): Promise<void> {
    await this.primary.ask(`alter system set synchronous_standby_names = '${names}'`);
    await this.primary.ask("select pg_reload_conf()");
  }

  /** Makes the other server anew from the primary while that is at work, and waits until it confirms commits. */
  async rebuildStandby(): Promise<void> {
    const { primary, standby } = this;
    await standby.kill();
    await copyCluster(primary, standby);
    const { role, password } = this.#accounts.admin;
    const { port } = primary.place;
    await standby.start({
      primary_conninfo: `host=127.0.0.1 port=${port} user=${role} password=${password} application_name=standby`,
      hot_standby: "on",
    });
    await this.confirm();
    const deadline = performance.now() + catchUpLimitMs;
    for (;;) {
      const rows = await primary.ask(
        "select 1 from pg_stat_replication where state = 'streaming' and sync_state = 'sync'",
      );
      if (rows.length > 0) return;
      if (performance.now() > deadline) throw new Error("the standby does not follow its primary");
      await sleep(pollMs);
    }
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.kill();
  }
}

/** A base backup as PostgreSQL documents it for those who copy files themselves. */
async function copyCluster(from: Server, to: Server): Promise<void> {
  const { port, admin, account } = from.place;
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: admin.role,
    password: admin.password,
    database: "postgres",
  });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const { cluster } = to.place;
    await rm(cluster, { recursive: true, force: true, maxRetries: 10 });
    await mkdir(cluster, { mode: 0o700 });
    const names = (await readdir(from.place.cluster)).filter((name) => !leftOut.has(name));
    // A file that is removed meanwhile is missing in the copy, and the log tells of its end.
    await run(
      "cp",
      ["-a", ...names.map((name) => join(from.place.cluster, name)), `${cluster}/`],
      {},
    ).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>("select * from pg_backup_stop()");
    for (const name of ["pg_wal", "pg_wal/archive_status", "pg_replslot"])
      await mkdir(join(cluster, name), { mode: 0o700 });
    await writeFile(join(cluster, "backup_label"), rows[0]?.labelfile ?? "", { mode: 0o600 });
    await writeFile(join(cluster, "standby.signal"), "", { mode: 0o600 });
    if (account.owner !== undefined) await giveTo(cluster, account.owner);
  } finally {
    await client.end();
  }
}

async function giveTo(cluster: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  const made = ["", "pg_wal", "pg_wal/archive_status", "pg_replslot", "backup_label"];
  for (const name of [...made, "standby.signal"]) await chown(join(cluster, name), uid, gid);
}
