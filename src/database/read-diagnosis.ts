import type { Database } from "./database.ts";
import { type DurabilityValues, durabilityColumns } from "./durability.ts";
import { sql } from "./sql.ts";

/** What a server says of itself to whoever looks for trouble. Null: it does not tell this role. */
export interface ServerDiagnosis extends DurabilityValues {
  readonly version: string;
  /** Of this session. */
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly ownsTables: boolean;
  readonly isEncrypted: boolean | null;
  readonly connectionsMax: number;
  readonly connectionsReserved: number;
  readonly connectionsUsed: number;
  readonly isArchiving: boolean;
  readonly archivedAt: Date | null;
  readonly archiveFailures: number;
  readonly archiveFailedAt: Date | null;
  /** Of those that confirm commits. */
  readonly standbys: number;
  /** Whether this role is told which standbys confirm. */
  readonly seesStandbys: boolean;
}

export async function readDiagnosis(database: Database): Promise<ServerDiagnosis> {
  const [row] = await database.query<ServerDiagnosis>(sql`
    select ${durabilityColumns}, current_setting('server_version') as version,
      current_user as role, current_setting('is_superuser') = 'on' as "isSuperuser",
      exists (select 1 from pg_class c where c.oid = to_regclass('public.schema_migrations')
        and pg_has_role(c.relowner, 'usage')) as "ownsTables",
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as "isEncrypted",
      current_setting('max_connections')::integer as "connectionsMax",
      current_setting('superuser_reserved_connections')::integer
        + coalesce(current_setting('reserved_connections', true), '0')::integer as "connectionsReserved",
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend'
        or (backend_type is null and datname is not null)) as "connectionsUsed",
      current_setting('archive_mode') <> 'off' as "isArchiving",
      archiver.last_archived_time as "archivedAt", archiver.failed_count::integer as "archiveFailures",
      archiver.last_failed_time as "archiveFailedAt",
      (select count(*)::integer from pg_stat_replication where sync_state in ('sync', 'quorum')) as standbys,
      pg_has_role('pg_read_all_stats', 'usage') as "seesStandbys"
    from pg_stat_archiver as archiver`);
  if (row === undefined) throw new Error("pg_stat_archiver has one row");
  return row;
}

/** A table in parts, and whether it has one for now and one for what comes next. */
export interface PartitionedTable {
  readonly name: string;
  readonly hasNow: boolean;
  readonly hasNext: boolean;
}

/** Those of days need tomorrow's, those of months the next month's. */
export async function readPartitions(database: Database): Promise<PartitionedTable[]> {
  return database.query<PartitionedTable>(sql`
    with bounds as (
      select parent.relname as name,
        substring(pg_get_expr(part.relpartbound, part.oid) from $$FROM [(]'([^']+)'[)]$$)::timestamptz as since,
        substring(pg_get_expr(part.relpartbound, part.oid) from $$TO [(]'([^']+)'[)]$$)::timestamptz as until
      from pg_partitioned_table p
      join pg_class parent on parent.oid = p.partrelid and parent.relnamespace = 'public'::regnamespace
      left join pg_inherits i on i.inhparent = parent.oid
      left join pg_class part on part.oid = i.inhrelid
    )
    select name, coalesce(bool_or(since <= now() and now() < until), false) as "hasNow",
      coalesce(bool_or(since > now() and since <= now() +
        case when name = 'request_log' then interval '1 day' else interval '1 month' end), false) as "hasNext"
    from bounds group by name order by name`);
}
