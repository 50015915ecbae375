import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readRecordedMigrations } from "../database/check-schema.ts";
import {
  copyOut,
  lockForms,
  selectEnvironment,
  selectMasterKeys,
  selectRelease,
  selectTables,
  type Table,
  takeSnapshot,
} from "../database/copy-tables.ts";
import type { Database, Tx } from "../database/database.ts";
import type { Environment } from "../database/environment.ts";
import { sqlState, WrongEnvironment } from "../database/errors.ts";
import { version as ownVersion } from "../kernel/version.ts";
import {
  type ArchiveHeader,
  countRows,
  endOfRows,
  newHeader,
  type TableSum,
  tablesLeftOut,
} from "./archive.ts";
import { SchemaChanging } from "./errors.ts";
import { writeArchive } from "./write-archive.ts";

export interface BackupRequest {
  readonly path: string;
  readonly environment: Environment;
  /** Told how many rows and bytes of text have been read. */
  readonly tell: (rows: number, bytes: number) => void;
}

export interface Backup {
  readonly header: ArchiveHeader;
  readonly sums: readonly TableSum[];
  /** Of the file. */
  readonly bytes: number;
}

/**
 * Copies every table into one file, as all of them stood at one moment, while everybody goes on working. It holds one
 * snapshot, and no lock that a statement of the service could wait for.
 */
export async function backUp(
  database: Database,
  { path, environment, tell }: BackupRequest,
): Promise<Backup> {
  const known = await selectTables(database);
  return database.transaction(async (tx) => {
    await lockForms(tx, known).catch((error: unknown) => {
      throw sqlState(error) === "42P01" ? new SchemaChanging({ cause: error }) : error;
    });
    const moment = await takeSnapshot(tx);
    const tables = await selectTables(tx);
    if (namesOf(tables).join() !== namesOf(known).join()) throw new SchemaChanging();
    const written = inOrder(tables.filter(({ name }) => !(name in tablesLeftOut)));
    const header = await describe(tx, moment, written);
    if (header.environment !== null && header.environment !== environment)
      throw new WrongEnvironment(header.environment, environment);
    const sums: TableSum[] = [];
    const bytes = await writeArchive(
      path,
      archiveText({ tx, header, tables: written, sums, tell }),
    );
    return { header, sums, bytes };
  });
}

async function describe(
  tx: Tx,
  { moment, snapshot }: Awaited<ReturnType<typeof takeSnapshot>>,
  tables: readonly Table[],
): Promise<ArchiveHeader> {
  const has = (table: string) => tables.some(({ name }) => name === table);
  const migrations = await readRecordedMigrations(tx);
  return newHeader({
    release: (await selectRelease(tx)) ?? ownVersion,
    migrations: migrations.map(({ name, hash }) => ({ name, hash: hash ?? "" })),
    // A database from before an upgrade may lack these tables.
    environment: has("installation") ? await selectEnvironment(tx) : null,
    masterKeys: has("vault") ? await selectMasterKeys(tx) : [],
    moment: moment.toISOString(),
    snapshot,
    tables: namesOf(tables),
  });
}

interface Writing {
  readonly tx: Tx;
  readonly header: ArchiveHeader;
  readonly tables: readonly Table[];
  readonly sums: TableSum[];
  readonly tell: BackupRequest["tell"];
}

async function* archiveText({ tx, header, tables, sums, tell }: Writing): AsyncGenerator<Buffer> {
  let rowsBefore = 0;
  let bytesBefore = 0;
  yield toLine(header);
  for (const table of tables) {
    const digest = createHash("sha256");
    let rows = 0;
    let bytes = 0;
    yield toLine({ table: table.name, columns: table.columns });
    for await (const piece of copyOut(tx, table)) {
      digest.update(piece);
      rows += countRows(piece);
      bytes += piece.length;
      tell(rowsBefore + rows, bytesBefore + bytes);
      yield piece;
    }
    yield Buffer.from(endOfRows);
    sums.push({ table: table.name, rows, bytes, sha256: digest.digest("hex") });
    rowsBefore += rows;
    bytesBefore += bytes;
  }
  yield toLine({ sums });
}

/** Each table behind those that its rows refer to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waiting = new Set(namesOf(left));
    const ready = left.filter(({ needs }) => !needs.some((name) => waiting.has(name)));
    assert(ready.length > 0, `${namesOf(left).join(", ")} refer to each other in a circle`);
    ordered.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

function namesOf(tables: readonly Table[]): string[] {
  return tables.map(({ name }) => name);
}

function toLine(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
