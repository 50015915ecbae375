import { setTimeout as sleep } from "node:timers/promises";
import { applyFunctions } from "./apply-functions.ts";
import { compareMigrations, readRecordedMigrations } from "./check-schema.ts";
import { readClusterState } from "./cluster.ts";
import { areDone, runSteps, type StepTimes, type Tell } from "./concurrent-steps.ts";
import type { Database, Tx } from "./database.ts";
import { distributeNews, prepareToDistribute, tableNames } from "./distribute.ts";
import { sqlState, TableKeptLocked } from "./errors.ts";
import {
  type Migration,
  readOwnSchema,
  readSchemaFiles,
  type SchemaFiles,
  type SchemaSource,
} from "./schema-files.ts";
import { sql } from "./sql.ts";

/** Any number, as long as nobody else uses it: the lock that lets one node migrate at a time. */
export const migrationLock = 7_260_417;
/**
 * A migration that waits for a table's lock makes every request for that table wait behind it. So it gives up
 * soon, lets the requests pass, and tries again: for about five minutes.
 */
const lockWaitMs = 500;
const lockPauseMs = 1_500;
const lockTriesMax = 150;

export interface Applied {
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
}

/**
 * Brings the database up to date; returns the names of what was applied. Each migration is a transaction, so that few
 * tables are locked at a time. The last one and all functions share theirs: between the two, a node at work would not
 * write what the migration has begun to keep. Several nodes may start together: the lock lets the first one work, the
 * others find it done. On a database that is newer than the program but works with it, nothing is applied.
 *
 * A migration outside a transaction is recorded once the catalog says that all of it is there.
 */
export async function migrate(
  database: Database,
  source?: Partial<SchemaSource>,
  tell?: Tell,
): Promise<Applied> {
  return applySchema(
    database,
    source === undefined ? await readOwnSchema() : await readSchemaFiles(source),
    tell,
  );
}

/** The same for a schema at hand, such as the first migrations of a program's own. */
export async function applySchema(
  database: Database,
  files: SchemaFiles,
  tell: Tell = () => {},
  times?: Partial<StepTimes>,
): Promise<Applied> {
  const migrations: string[] = [];
  for (;;) {
    const { toBuild, name, functions } = await underLock(database, (tx) => takeStep(tx, files));
    if (toBuild?.steps !== undefined) {
      tell(`${toBuild.name} is made while writes go on; it may take long.`);
      await runSteps(database, toBuild.steps, tell, times);
    }
    if (name !== undefined) migrations.push(name);
    if (functions !== undefined) return { migrations, functions };
  }
}

async function underLock<Result>(
  database: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (tx) => {
        await tx.query(sql`select pg_advisory_xact_lock(${migrationLock})`);
        await tx.query(sql`select set_config('lock_timeout', ${`${lockWaitMs}ms`}, true)`);
        return work(tx);
      });
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error;
      if (attempt === lockTriesMax) throw new TableKeptLocked({ cause: error });
    }
    await sleep(lockPauseMs);
  }
}

const lockNotAvailable = "55P03";

interface Step {
  /** What has to be made outside a transaction before it can be recorded. */
  readonly toBuild?: Migration | undefined;
  /** Of the migration that was applied, if one was missing. */
  readonly name?: string | undefined;
  /** The files that were applied or have vanished, once no migration is missing. */
  readonly functions?: readonly string[];
}

/** On a cluster each step ends with everything that it made in its place, before anybody can use it. */
async function takeStep(tx: Tx, files: SchemaFiles): Promise<Step> {
  if ((await readClusterState(tx)) !== "sharded") return applyStep(tx, files);
  await prepareToDistribute(tx);
  const before = new Set(await tableNames(tx));
  const step = await applyStep(tx, files);
  await distributeNews(tx, before);
  return step;
}

async function applyStep(tx: Tx, files: SchemaFiles): Promise<Step> {
  const { toBuild, name } = await applyNextMigration(tx, files);
  if (toBuild !== undefined) return { toBuild };
  const recorded = await readRecordedMigrations(tx);
  const standing = compareMigrations(recorded, files.migrations);
  if (recorded.length < files.migrations.length) return { name };
  return { name, functions: standing === "newer" ? [] : await applyFunctions(tx, files) };
}

/** The name of the migration that was applied; nothing when none is missing. */
async function applyNextMigration(tx: Tx, files: SchemaFiles): Promise<Omit<Step, "functions">> {
  await tx.query(sql`
    create table if not exists schema_migrations (
      version integer not null,
      name text not null,
      hash text not null,
      compatible_from integer not null,
      applied_at timestamptz not null default now(),
      constraint schema_migrations_pk primary key (version)
    )`);
  const recorded = await readRecordedMigrations(tx);
  compareMigrations(recorded, files.migrations);
  const next = files.migrations[recorded.length];
  if (next === undefined) return {};
  if (next.steps === undefined) await tx.query({ text: next.text, values: [] });
  else if (!(await areDone(tx, next.steps))) return { toBuild: next };
  await tx.query(sql`
    insert into schema_migrations (version, name, hash, compatible_from)
    values (${next.version}, ${next.name}, ${next.hash}, ${next.compatibleFrom})`);
  return { name: next.name };
}
