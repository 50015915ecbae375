import type { Gauge, Metrics } from "../kernel/metrics.ts";
import type { Database } from "./database.ts";
import { sql } from "./sql.ts";

/** What PostgreSQL tells of itself. How its standbys are, it tells members of pg_read_all_stats alone. */
interface ServerState {
  readonly isArchiving: boolean;
  /** Since the log was archived last, or since the server counts. */
  readonly archiveAge: number;
  readonly hasArchiveFailed: boolean;
  readonly standbys: number;
  readonly seesStandbys: boolean;
  readonly confirming: number;
  readonly lagBytes: number;
  readonly lagSeconds: number;
  readonly slotBytes: number;
  readonly transactionAge: number;
  readonly multixactAge: number;
  readonly now: Date;
}

/** Of the primary, or of the coordinator of a database that is split: views of its own, however much it holds. */
async function readServerState(database: Database): Promise<ServerState> {
  const [row] = await database.query<ServerState>(sql`
    select current_setting('archive_mode') <> 'off' as "isArchiving",
      extract(epoch from clock_timestamp() - coalesce(archiver.last_archived_time, archiver.stats_reset,
        pg_postmaster_start_time()))::float8 as "archiveAge",
      coalesce(archiver.last_failed_time > coalesce(archiver.last_archived_time, '-infinity'), false) as "hasArchiveFailed",
      pg_has_role('pg_read_all_stats', 'usage') as "seesStandbys",
      standby.standbys, standby.confirming, standby."lagBytes", standby."lagSeconds",
      (select coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
        from pg_replication_slots) as "slotBytes",
      (select max(age(datfrozenxid))::float8 from pg_database) as "transactionAge",
      (select max(mxid_age(datminmxid))::float8 from pg_database) as "multixactAge",
      clock_timestamp() as now
    from pg_stat_archiver as archiver, (
      select count(*)::integer as standbys,
        (count(*) filter (where sync_state in ('sync', 'quorum')))::integer as confirming,
        coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), 0)::float8 as "lagBytes",
        coalesce(max(extract(epoch from replay_lag)), 0)::float8 as "lagSeconds"
      from pg_stat_replication where coalesce(state, 'streaming') in ('streaming', 'catchup')) as standby`);
  if (row === undefined) throw new Error("pg_stat_archiver has one row");
  return row;
}

/** What is known of PostgreSQL itself by asking it. How full its disk is, it does not know: that is its machine's exporter's. */
export function serverMetrics(database: Database, asked: Metrics): () => Promise<void> {
  const gauge = (name: string, help: string): Gauge => asked.gauge(name, help, "same");
  const archiving = gauge(
    "cauri_postgres_archiving",
    "1 when PostgreSQL is told to archive its log.",
  );
  const archiveFailing = gauge(
    "cauri_postgres_archive_failing",
    "1 while the last try to archive a piece of the log has failed.",
  );
  const archiveAge = gauge(
    "cauri_postgres_archive_age_seconds",
    "Since a piece of the log was archived last; 0 where none is.",
  );
  const standbys = gauge("cauri_postgres_standbys", "Standbys that are connected to the primary.");
  const confirming = gauge(
    "cauri_postgres_standbys_confirming",
    "Those of them that confirm commits.",
  );
  const unseen = gauge(
    "cauri_postgres_standbys_unseen",
    "1 while there are standbys and this role is not told how they are.",
  );
  const lagBytes = gauge(
    "cauri_postgres_replication_lag_bytes",
    "How much of the log the standby that is furthest behind has not replayed.",
  );
  const lagSeconds = gauge(
    "cauri_postgres_replication_lag_seconds",
    "How long what is written takes to be replayed by the slowest standby.",
  );
  const slotBytes = gauge(
    "cauri_postgres_slot_retained_bytes",
    "How much of the log the primary keeps for the replication slot that is furthest behind.",
  );
  const idAge = gauge(
    "cauri_postgres_transaction_id_age",
    "The age of the oldest transaction id that is not frozen, by kind; PostgreSQL stops taking writes before 2^31.",
  );
  const skew = gauge(
    "cauri_database_clock_skew_seconds",
    "How far the clocks of this machine and of the database are apart, beyond what the way there explains.",
  );
  return async () => {
    const sentMs = Date.now();
    const state = await readServerState(database);
    const gotMs = Date.now();
    archiving.set(state.isArchiving ? 1 : 0);
    archiveFailing.set(state.isArchiving && state.hasArchiveFailed ? 1 : 0);
    archiveAge.set(state.isArchiving ? Math.max(0, state.archiveAge) : 0);
    standbys.set(state.standbys);
    confirming.set(state.confirming);
    unseen.set(state.standbys > 0 && !state.seesStandbys ? 1 : 0);
    lagBytes.set(Math.max(0, state.lagBytes));
    lagSeconds.set(Math.max(0, state.lagSeconds));
    slotBytes.set(Math.max(0, state.slotBytes));
    idAge.set(state.transactionAge, { kind: "transaction" });
    idAge.set(state.multixactAge, { kind: "multixact" });
    skew.set(skewSeconds(sentMs, state.now.getTime(), gotMs));
  };
}

/** 0 for every moment in which it may have been answered. */
function skewSeconds(sentMs: number, answeredMs: number, gotMs: number): number {
  return Math.max(0, sentMs - answeredMs, answeredMs - gotMs) / 1_000;
}
