import { applyFunctions } from "./apply-functions.ts";
import type { Database, Tx } from "./database.ts";
import { readSchemaFiles, type SchemaFolders } from "./schema-files.ts";
import { sql } from "./sql.ts";

/** Any number, as long as nobody else uses it: the lock that lets one node migrate at a time. */
const migrationLock = 7_260_417;

export class DatabaseTooNew extends Error {
  constructor(found: number, known: number) {
    super(
      `The database is at migration ${found}, this program knows ${known}. ` +
        "It was upgraded by a newer version of Cauri: run that version, or restore a backup made before the upgrade.",
    );
  }
}

export interface Applied {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
}

/**
 * Brings the database up to date; returns the names of what was applied. Each migration is one transaction, and
 * all functions together are one. Several nodes may start together: the lock lets the first one work, the
 * others find it done.
 */
export async function migrate(
  database: Database,
  folders: Partial<SchemaFolders> = {},
): Promise<Applied> {
  const files = await readSchemaFiles(folders);
  const applied: string[] = [];
  for (const migration of files.migrations) {
    const isNew = await database.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
      const version = await currentVersion(tx);
      if (version > files.migrations.length)
        throw new DatabaseTooNew(version, files.migrations.length);
      if (version >= migration.version) return false;
      await tx.query({ text: migration.text, values: [] });
      await tx.query(
        sql`insert into schema_migrations (version, name) values (${migration.version}, ${migration.name})`,
      );
      return true;
    });
    if (isNew) applied.push(migration.name);
  }
  const functions = await database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
    return applyFunctions(tx, files.functions);
  });
  return { migrations: applied, functions };
}

/** True when every migration this program knows has been applied, and none it does not know. */
export async function isMigrated(database: Database): Promise<boolean> {
  const rows = await database.query<{ version: number | null }>(
    sql`select max(version) as version from schema_migrations`,
  );
  return rows[0]?.version === (await readSchemaFiles()).migrations.length;
}

async function currentVersion(tx: Tx): Promise<number> {
  await tx.query(sql`
    create table if not exists schema_migrations (
      version integer not null,
      name text not null,
      applied_at timestamptz not null default now(),
      constraint schema_migrations_pk primary key (version)
    )`);
  const rows = await tx.query<{ version: number | null }>(
    sql`select max(version) as version from schema_migrations`,
  );
  return rows[0]?.version ?? 0;
}
