import { pipeline } from "node:stream/promises";
import { isBefore } from "../database/check-schema.ts";
import { analyze, copyIn, selectTables, type Table } from "../database/copy-tables.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Environment } from "../database/environment.ts";
import { applySchema, migrate } from "../database/migrate.ts";
import { readOwnSchema, type SchemaFiles } from "../database/schema-files.ts";
import type { ArchiveHeader, TableName } from "./archive.ts";
import {
  ArchiveDamaged,
  ArchiveOfAnotherLine,
  ArchiveOfOtherKind,
  ArchiveTooNew,
} from "./errors.ts";
import { type ArchiveContents, readArchive } from "./read-archive.ts";

/** An archive that was read from end to end and that this program can restore. */
export interface CheckedArchive extends ArchiveContents {
  readonly path: string;
}

export interface Restored {
  readonly rows: number;
  /** Migrations that the archive's database did not have yet. */
  readonly migrations: readonly string[];
  /** Tables that are in the archive and are none of ours. */
  readonly notOurs: readonly string[];
}

/** Reads the whole archive before anything is made of it. */
export async function checkArchive(
  path: string,
  environment: Environment,
  tell: (done: number, total: number) => void,
): Promise<CheckedArchive> {
  const contents = await readArchive(path, { tell });
  const { header } = contents;
  refuseNewer(path, header, await readOwnSchema());
  if (header.environment !== null && header.environment !== environment)
    throw new ArchiveOfOtherKind(path, header.environment, environment);
  return { path, ...contents };
}

/**
 * Fills an empty database: the schema as it was, by the same migrations; then every row, in one transaction; then what this
 * program has on top. No trigger of ours fires at an insert, and the rows come in the order that foreign keys ask for.
 */
export async function restoreInto(
  database: Database,
  archive: CheckedArchive,
  tell: (rows: number) => void,
): Promise<Restored> {
  const own = await readOwnSchema();
  const migrations = own.migrations.slice(0, archive.header.migrations.length);
  await applySchema(database, { ...own, migrations, functions: [] });
  const { rows, notOurs } = await database.transaction((tx) => load(tx, archive, tell));
  return { rows, notOurs, migrations: (await migrate(database)).migrations };
}

function refuseNewer(path: string, header: ArchiveHeader, own: SchemaFiles): void {
  for (const [index, { name, hash }] of header.migrations.entries()) {
    const known = own.migrations[index];
    if (known === undefined) throw new ArchiveTooNew(path, `it has the migration ${name}`);
    if (known.name !== name || known.hash !== hash) throw new ArchiveOfAnotherLine(path, name);
  }
  if (isBefore(own.release, header.release))
    throw new ArchiveTooNew(path, `version ${header.release}, and this one is ${own.release}`);
}

async function load(
  tx: Tx,
  { path, header, sums }: CheckedArchive,
  tell: (rows: number) => void,
): Promise<Pick<Restored, "rows" | "notOurs">> {
  const tables = new Map((await selectTables(tx)).map((table) => [table.name, table]));
  const written = new Set([...header.tables, ...header.leftOut, "unfinished_restore"]);
  const missing = [...tables.keys()].find((name) => !written.has(name));
  if (missing !== undefined) throw new ArchiveDamaged(path, `the table ${missing} is not in it`);
  const notOurs = header.tables.filter((name) => !tables.has(name));
  let rows = 0;
  await readArchive(path, {
    async take(name, text) {
      const table = tables.get(name.table);
      if (table === undefined) {
        for await (const piece of text) void piece;
        return;
      }
      refuseOtherColumns(path, table, name);
      await pipeline(text, copyIn(tx, table));
      rows += sums.find((sum) => sum.table === name.table)?.rows ?? 0;
      tell(rows);
    },
  });
  await analyze(tx, tables.values());
  return { rows, notOurs };
}

function refuseOtherColumns(path: string, table: Table, name: TableName): void {
  if (table.columns.join() !== name.columns.join())
    throw new ArchiveDamaged(path, `the table ${name.table} has other columns in it`);
}
