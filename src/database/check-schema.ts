import { OperatorError } from "../kernel/operator-error.ts";
import type { Trouble } from "./commit-probe.ts";
import type { Queryable } from "./database.ts";
import { DatabaseOfAnotherLine, DatabaseTooNew, DatabaseTooOld, sqlState } from "./errors.ts";
import {
  type Migration,
  readOwnSchema,
  readSchemaFiles,
  type SchemaFiles,
  type SchemaSource,
} from "./schema-files.ts";
import { sql } from "./sql.ts";

export interface RecordedMigration {
  readonly version: number;
  readonly name: string;
  /** Null in databases of development versions, which recorded neither of the two. */
  readonly hash: string | null;
  readonly compatibleFrom: number | null;
}

type Standing = "older" | "same" | "newer";

/**
 * Throws unless this program can work with the database as it stands. Newer migrations are fine as long as each
 * of them says that it works with a program like this one; newer functions always do (see CONTRIBUTING.md).
 */
export async function checkSchema(
  database: Queryable,
  source?: Partial<SchemaSource>,
): Promise<void> {
  const files = source === undefined ? await readOwnSchema() : await readSchemaFiles(source);
  const recorded = await emptyWithoutTable(() => readRecordedMigrations(database));
  const standing = compareMigrations(recorded, files.migrations);
  if (standing === "older")
    throw await tooOld(database, `the migration ${files.migrations[recorded.length]?.name}`);
  if (standing === "same" && (await areFunctionsOlder(database, files)))
    throw await tooOld(database, "the SQL functions");
}

/** Whether this role owns the tables, or may make them. With roles of their own for migrating and for serving, a node's may not. */
export async function mayChangeSchema(database: Queryable): Promise<boolean> {
  const { role, owner } = await readRoles(database);
  return role === owner;
}

async function tooOld(database: Queryable, missing: string): Promise<DatabaseTooOld> {
  const { role, owner } = await readRoles(database);
  return new DatabaseTooOld(missing, role === owner ? undefined : { role, owner });
}

/** The session's own role stands for the owner where it has its rights. */
async function readRoles(database: Queryable): Promise<{ role: string; owner: string }> {
  const [roles] = await database.query<{ role: string; owner: string }>(sql`
    select current_user as role,
      case when mine.is_mine then current_user else pg_get_userbyid(mine.owner) end as owner
    from (
      select coalesce(c.relowner, d.datdba) as owner,
        coalesce(pg_has_role(c.relowner, 'usage'), has_schema_privilege('public', 'create')) as is_mine
      from pg_database d left join pg_class c on c.oid = to_regclass('public.schema_migrations')
      where d.datname = current_database()
    ) as mine`);
  return roles ?? { role: "", owner: "" };
}

/** The same for whoever asks whether this node is ready. */
export async function findSchemaTrouble(database: Queryable): Promise<Trouble | undefined> {
  try {
    await checkSchema(database);
    return undefined;
  } catch (error) {
    return error instanceof OperatorError
      ? { reason: "schema", problem: error.message }
      : { reason: "unreachable", problem: "The database cannot be reached." };
  }
}

/** Throws unless the database was made by migrations of this program, by all of them or by the first ones. */
export async function checkLine(database: Queryable): Promise<void> {
  const { migrations } = await readOwnSchema();
  const recorded = await emptyWithoutTable(() => readRecordedMigrations(database));
  if (recorded.length === 0) throw await tooOld(database, "all migrations");
  compareMigrations(recorded, migrations);
}

/** How the database stands to the program; throws when the two cannot work together at all. */
export function compareMigrations(
  recorded: readonly RecordedMigration[],
  known: readonly Migration[],
): Standing {
  for (const [index, { name, hash }] of known.entries()) {
    const there = recorded[index];
    if (there !== undefined && (there.name !== name || there.hash !== hash))
      throw new DatabaseOfAnotherLine(there.name, name);
  }
  const unknown = recorded.slice(known.length);
  if (unknown.some(({ version, compatibleFrom }) => (compatibleFrom ?? version) > known.length))
    throw new DatabaseTooNew(recorded.at(-1)?.version ?? 0, known.length);
  if (unknown.length > 0) return "newer";
  return recorded.length < known.length ? "older" : "same";
}

/** As JSON, because a database of a development version lacks some of the columns. */
export function readRecordedMigrations(database: Queryable): Promise<RecordedMigration[]> {
  return database.query<RecordedMigration>(sql`
    select version, name, to_jsonb(m) ->> 'hash' as hash,
      (to_jsonb(m) ->> 'compatible_from')::integer as "compatibleFrom"
    from schema_migrations m order by version`);
}

/** Whether one release comes before another: 0.9.1 before 0.10.0. */
export function isBefore(release: string, other: string): boolean {
  return release.localeCompare(other, "en", { numeric: true }) < 0;
}

async function areFunctionsOlder(database: Queryable, files: SchemaFiles): Promise<boolean> {
  if (files.functions.length === 0) return false;
  const rows = await emptyWithoutTable(() =>
    database.query<{ release: string }>(sql`select release from schema_functions limit 1`),
  );
  const release = rows[0]?.release;
  return release === undefined || isBefore(release, files.release);
}

async function emptyWithoutTable<Row>(read: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await read();
  } catch (error) {
    if (sqlState(error) === "42P01") return [];
    throw error;
  }
}
