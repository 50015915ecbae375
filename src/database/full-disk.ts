import { DatabaseUnavailable, sqlState } from "./errors.ts";
import { sql } from "./sql.ts";
import type { Tx } from "./tx.ts";

const diskFull = "53100";

/**
 * Remembers that a write found no room on the disk of the database. Small commits go on there for a while, because they need no new
 * page: a commit that succeeds shows nothing. Only what takes room again ends it.
 */
export class FullDisk {
  #isFull = false;

  /** Told of every error of a statement. */
  note(error: unknown): void {
    if (sqlState(error) === diskFull) this.#isFull = true;
  }

  /** Whether it is full now. Where it was, the database is asked to take room. */
  async isFull(database: Transacting): Promise<boolean> {
    if (!this.#isFull) return false;
    this.#isFull = await takeRoom(database).then(
      () => false,
      // Still full, or away: then nobody knows better.
      (error: unknown) => error instanceof DatabaseUnavailable,
    );
    return this.#isFull;
  }
}

interface Transacting {
  transaction(work: (tx: Tx) => Promise<void>): Promise<void>;
}

/** Two megabytes, sorted where there is memory for a fraction: in a file where the tables are, which is gone afterwards. */
async function takeRoom(database: Transacting): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(sql`
      select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`);
    await tx.query(sql`
      select max(line) from (
        select md5(n::text) || repeat('x', 1000) as line from generate_series(1, 2000) as n order by 1 offset 0
      ) as sorted`);
  });
}
