import { sql } from "../src/database/sql.ts";
import type { Act, Ground } from "./growth-acts.ts";
import { mean, median } from "./rounds.ts";

/** What one act costs the database, whatever the machine. */
export interface Pages {
  /** Of tables and indexes, each as often as it was looked at. */
  readonly touched: number;
  /** Of these, those that were not in shared_buffers. */
  readonly fetched: number;
  /** Of the write-ahead log, in which a page stands whole when it changes first after a checkpoint. */
  readonly walBytes: number;
}

const turnsMax = 20;

/** Counts after a checkpoint, before the timing, at places that the act has not been to. */
export async function countPages(ground: Ground, act: Act): Promise<Pages> {
  const counts: Pages[] = [];
  await act.begin?.(ground);
  await ground.database.query(sql`checkpoint`);
  const turns = Math.min(turnsMax, ground.spots.length);
  for (let turn = 0; turn < turns; turn += 1) {
    await act.prepare?.(ground);
    const before = await readCounters(ground);
    // From the far end, where the timing comes last.
    await act.touch(ground, ground.spots.length - 1 - turn);
    const after = await readCounters(ground);
    counts.push({
      touched: after.touched - before.touched,
      fetched: after.fetched - before.fetched,
      walBytes: after.walBytes - before.walBytes,
    });
  }
  return {
    // The median, because autovacuum is counted too.
    touched: median(counts.map(({ touched }) => touched)),
    fetched: mean(counts.map(({ fetched }) => fetched)),
    walBytes: mean(counts.map(({ walBytes }) => walBytes)),
  };
}

async function readCounters({ database, client }: Ground): Promise<Pages> {
  // A connection tells what it has read about once a second, unless it is made to.
  await client.query("select pg_stat_force_next_flush()");
  await database.query(sql`select pg_stat_force_next_flush()`);
  const [row] = await database.query<Pages>(sql`
    select sum(coalesce(heap_blks_hit, 0) + coalesce(idx_blks_hit, 0) + coalesce(heap_blks_read, 0) + coalesce(idx_blks_read, 0))::bigint as touched,
      sum(coalesce(heap_blks_read, 0) + coalesce(idx_blks_read, 0))::bigint as fetched,
      (pg_current_wal_insert_lsn() - '0/0')::bigint as "walBytes"
    from pg_statio_user_tables`);
  if (row === undefined) throw new Error("PostgreSQL counts no pages");
  return row;
}
