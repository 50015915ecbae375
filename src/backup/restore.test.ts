import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished } from "vitest";
import {
  auditDifferences,
  makeCompany,
  makeCustomer,
  makeDatabase,
  test,
} from "../../test/fixtures.ts";
import { notOnCluster } from "../../test/on-cluster.ts";
import type { Database } from "../database/database.ts";
import { DatabaseNotEmpty, UnfinishedRestore, WrongEnvironment } from "../database/errors.ts";
import { applySchema } from "../database/migrate.ts";
import { openBeforeUpgrade, openExisting, openToFill } from "../database/open-database.ts";
import { finishRestore } from "../database/restore-mark.ts";
import { readOwnSchema } from "../database/schema-files.ts";
import { sql } from "../database/sql.ts";
import { backUp } from "./back-up.ts";
import { ArchiveOfOtherKind } from "./errors.ts";
import { checkArchive, restoreInto } from "./restore.ts";

/** What `copy` has to escape, and what looks like its own words. */
const name = "\\.\n\t\\N\r\\x00 “É” \u{1f4b0}\b";

test("every row of every table comes back as it was, sessions aside, under locks that nobody waits for", async ({
  db,
}) => {
  await makeCompany(db.database, { name });
  await makeCustomer(db.database, "2250102030405");
  await db.database.query(sql`
    insert into logos (company_id, url_hash, url, status, type, bytes)
    select company_id, '\\x00ff0a5c', ${name}, 'fetched', 'image/png', '\\x5c2e0a09' from companies`);
  await db.database.query(sql`
    insert into wallet_sessions (msisdn, token_hash) values ('2250102030405', '\\x01')`);
  await db.database.query(sql`create table "Notes of mine" ("a b" text)`);
  await db.database.query(sql`insert into "Notes of mine" values (${name})`);
  const path = await archivePath();
  const locks: Promise<{ mode: string }[]>[] = [];

  const { header, sums } = await backUp(db.database, {
    path,
    environment: "staging",
    tell: () => locks.push(locksOn(db.database)),
  });

  expect(new Set((await Promise.all(locks)).flat().map(({ mode }) => mode))).toEqual(
    new Set(["AccessShareLock"]),
  );
  expect(header.tables).toContain("Notes of mine");
  expect(header.leftOut).toContain("wallet_sessions");
  const there = await emptyDatabase();
  const restored = await fill(there.url, path);
  expect(restored).toEqual({
    rows: sums.reduce((sum, { rows }) => sum + rows, 0) - 1,
    notOurs: ["Notes of mine"],
    migrations: [],
  });
  expect(await auditDifferences(there.database)).toEqual([]);
  await db.database.query(sql`drop table "Notes of mine"`);
  expect(await textOf(there.database)).toEqual(await textOf(db.database));
  expect(await there.database.query(sql`select 1 from wallet_sessions`)).toEqual([]);
});

test("a database from before an upgrade is backed up as it is, restored so and then upgraded", async () => {
  const own = await readOwnSchema();
  const before = { ...own, migrations: own.migrations.slice(0, -2), functions: [] };
  const old = await emptyDatabase();
  await applySchema(old.database, before);
  await old.database.query(sql`
    insert into customers (msisdn, first_name, last_name, kyc_status) values ('2250102030405', 'Awa', 'Diop', 'complete')`);
  const path = await archivePath();
  const open = await openBeforeUpgrade(optionsFor(old.url), () => {});
  onTestFinished(() => open.close());

  const { header } = await backUp(open.database, { path, environment: "staging", tell: () => {} });

  expect(header.migrations).toHaveLength(before.migrations.length);
  const there = await emptyDatabase();
  const { migrations } = await fill(there.url, path);
  expect(migrations).toEqual(own.migrations.slice(-2).map((one) => one.name));
  const again = await openExisting(optionsFor(there.url), () => {});
  expect(await again.database.query(sql`select first_name from customers`)).toEqual([
    { first_name: "Awa" },
  ]);
  await again.close();
});

test("only an empty database is filled, and until that is finished nobody else opens it", async ({
  db,
}) => {
  await expect(openToFill(optionsFor(db.url), () => {})).rejects.toThrow(DatabaseNotEmpty);

  const there = await emptyDatabase();
  const open = await openToFill(optionsFor(there.url), () => {});
  for (const attempt of [openToFill, openExisting, openBeforeUpgrade])
    await expect(attempt(optionsFor(there.url), () => {})).rejects.toThrow(UnfinishedRestore);
  await open.discard();
  await expect(openExisting(optionsFor(there.url), () => {})).rejects.toThrow(UnfinishedRestore);
});

test("test money is not restored as real money, nor backed up as such", async ({ db }) => {
  await db.database.query(sql`insert into installation (environment) values ('staging')`);
  const path = await archivePath();
  const tell = () => {};

  await expect(backUp(db.database, { path, environment: "production", tell })).rejects.toThrow(
    WrongEnvironment,
  );
  await backUp(db.database, { path, environment: "staging", tell });
  await expect(checkArchive(path, "production", tell)).rejects.toThrow(ArchiveOfOtherKind);
});

/** What is here would need more than its rows; whoever adds one has to teach it to the backup. */
test("the schema has nothing that a backup does not carry", async ({ db, skip }) => {
  notOnCluster({ skip }, "extension");
  // A view holds nothing, and is made anew by the migrations. A table in parts is carried as one.
  const found = await db.database.query(sql`
    select relname::text as what from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('r', 'p', 'i', 'I', 't', 'v')
    union all
    select tgname::text from pg_trigger where not tgisinternal and (tgtype & 4) > 0
    union all
    select attrelid::regclass || '.' || attname from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
      and attnum > 0 and (attgenerated <> '' or attidentity <> '')
    union all
    select nspname::text from pg_namespace where nspname !~ '^(pg_|information_schema$|public$)'`);

  expect(found).toEqual([]);
});

async function fill(url: string, path: string) {
  const archive = await checkArchive(path, "staging", () => {});
  const open = await openToFill(optionsFor(url), () => {});
  try {
    const restored = await restoreInto(open.database, archive, () => {});
    await finishRestore(open.database);
    return restored;
  } finally {
    await open.close();
  }
}

/** Every table as PostgreSQL writes it, rows in an order of their own. */
async function textOf(database: Database): Promise<string[]> {
  const path = await archivePath();
  await backUp(database, { path, environment: "staging", tell: () => {} });
  const [, ...lines] = gunzipSync(await readFile(path))
    .toString()
    .split("\n");
  return lines.filter((line) => !line.startsWith('{"sums"')).toSorted();
}

async function locksOn(database: Database): Promise<{ mode: string }[]> {
  return database.query(sql`
    select distinct l.mode from pg_locks l
    join pg_class c on c.oid = l.relation
    -- Vacuuming, which may come by, is nobody's request.
    join pg_stat_activity a on a.pid = l.pid and a.backend_type = 'client backend'
    -- Of this database alone: in the others, which are copies, the tables have the same numbers.
    where c.relnamespace = 'public'::regnamespace and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())`);
}

async function emptyDatabase() {
  const made = await makeDatabase("template0");
  onTestFinished(() => made.drop());
  return made;
}

async function archivePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "backup");
}

function optionsFor(databaseUrl: string) {
  return { environment: "staging", databaseUrl, databasePoolSize: 2, dataDir: "/nowhere" } as const;
}
