import pg from "pg";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";

/** Marks the sessions of the attack, so that it does not stop its own. */
export const holderName = "torture";

const undone = new Set([
  "55P03", // not had in time
  "40P01", // a deadlock, and this session was chosen to give way
]);

/** A session that took a lock and keeps it until it is told to let go. */
export class Hold {
  readonly #client: pg.Client;
  readonly #pid: number;
  #isReleased = false;

  private constructor(client: pg.Client, pid: number) {
    this.#client = client;
    this.#pid = pid;
  }

  /** Runs a statement that locks. Undefined when the lock was not had in time, or there was no row to lock. */
  static async take(
    url: string,
    patienceMs: number,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Hold | undefined> {
    const client = new pg.Client({ connectionString: url, application_name: holderName });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      await client.query("begin");
      await client.query(`set local lock_timeout = ${patienceMs}`);
      const { command, rowCount } = await client.query(text, [...values]);
      const hold = new Hold(client, rows[0]?.pid ?? 0);
      if (command === "LOCK" || (rowCount ?? 0) > 0) return hold;
      await client.end();
    } catch (error) {
      await client.end();
      if (!undone.has((error as { code?: string }).code ?? "")) throw error;
    }
    return undefined;
  }

  /** The sessions that wait for it, and behind them those that wait for somebody who does. */
  async waiting(database: Database): Promise<readonly number[]> {
    const rows = await database.query<{ pid: number }>(sql`
      with recursive blocked as (
        select pid, pg_blocking_pids(pid) as by from pg_stat_activity where wait_event_type = 'Lock'
      ), waiting as (
        select pid, 0 as behind from blocked where ${this.#pid}::integer = any (by)
        union
        select b.pid, w.behind + 1 from blocked b join waiting w on w.pid = any (b.by)
        where w.behind < 20
      )
      select pid from waiting group by pid order by min(behind), pid`);
    return rows.map(({ pid }) => pid);
  }

  /** Harmless when repeated. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#client.query("rollback");
    await this.#client.end();
  }
}

export function lockOfCompany(table: string): string {
  return `select 1 from ${pg.escapeIdentifier(table)} where company_id = $1 for update`;
}

export function lockOfPerson(table: string): string {
  return `select 1 from ${pg.escapeIdentifier(table)} where msisdn = $1 for update`;
}

/** Rows that a seed chooses, among those that nobody has locked. */
export function lockOfSomeRows(table: string): string {
  return `select 1 from ${pg.escapeIdentifier(table)}
    order by md5(ctid::text || $1::text) limit $2 for update skip locked`;
}

export function lockOfTable(table: string, mode: string): string {
  return `lock table ${pg.escapeIdentifier(table)} in ${mode} mode`;
}
