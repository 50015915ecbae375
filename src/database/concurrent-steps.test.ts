import { expect, onTestFinished } from "vitest";
import { test as base, makeDatabase, type TestDatabase } from "../../test/fixtures.ts";
import { parseSteps } from "./concurrent-steps.ts";
import { Database } from "./database.ts";
import { applySchema } from "./migrate.ts";
import { readOwnSchema, type SchemaFiles } from "./schema-files.ts";
import { sql } from "./sql.ts";

const test = base.extend<{ db: TestDatabase }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
  db: async ({}, use) => {
    const made = await makeDatabase("template0");
    await applySchema(made.database, files());
    await use(made);
    await made.drop();
  },
});

const patience = { timeout: 60_000, interval: 20 };
const concurrently = [
  "create unique index concurrently numbers_once on numbers (n);",
  "create index concurrently numbers_by_m on numbers (m) where m > 0;",
  "alter table numbers validate constraint numbers_small;",
  "drop index concurrently if exists numbers_old;",
].join("\n");

/** The first migration, and those that are given, which run outside a transaction. */
function files(...texts: readonly string[]): SchemaFiles {
  const first = `create table numbers (n integer, m integer);
    alter table numbers add constraint numbers_small check (n < 1000) not valid;
    create index numbers_old on numbers (m, n);`;
  const migrations = [first, ...texts].map((text, index) => ({
    version: index + 1,
    name: `000${index + 1}_m.sql`,
    hash: text,
    text,
    compatibleFrom: 1,
    steps: index === 0 ? undefined : parseSteps(`000${index + 1}_m.sql`, text),
  }));
  const answer = "create or replace function answer() returns integer language sql as 'select 1';";
  const functions = texts.length === 0 ? [] : [{ file: "a.sql", hash: "1", text: answer }];
  return { migrations, functions, release: "1.0.0" };
}

test("an index is built while writes go on, recorded once by several nodes, and functions follow in the record's transaction", async ({
  db,
}) => {
  const { database } = db;
  const nodes = [1, 2, 3].map(() => nodeOf(db));
  const told: string[] = [];
  const hold = await holdTransaction(db);

  const migrating = Promise.all(
    nodes.map((node) =>
      applySchema(node, files(concurrently), (text) => void told.push(text), {
        progressEveryMs: 20,
        lockPauseMs: 20,
      }),
    ),
  );
  await expect.poll(() => phaseOf(database), patience).toContain("waiting");
  await expect.poll(() => told.join("\n"), patience).toContain("has a transaction open for");
  expect(told.join("\n")).toContain("Another connection is building an index");
  // A write does not wait.
  await database.transaction(async (tx) => {
    await tx.query(sql`set local lock_timeout = '1s'`);
    await tx.query(sql`insert into numbers (n, m) values (7, 7)`);
  });
  expect(await recorded(database)).toBe(1);
  await hold.end();

  const applied = (await migrating).flatMap(({ migrations, functions }) => [
    ...migrations,
    ...functions,
  ]);
  expect(applied.toSorted()).toEqual(["0002_m.sql", "a.sql"]);
  expect(await recorded(database)).toBe(2);
  expect(await indexes(database)).toEqual({ numbers_once: true, numbers_by_m: true });
  expect(await isValidated(database)).toBe(true);
  expect(await database.query(sql`select answer()`)).toEqual([{ answer: 1 }]);
});

test("a node of the release before starts and stops while an index is built, and waits for nothing", async ({
  db,
}) => {
  const hold = await holdTransaction(db);
  const migrating = applySchema(nodeOf(db), files(concurrently));
  await expect.poll(() => phaseOf(db.database), patience).toContain("waiting");

  expect(await applySchema(nodeOf(db), files())).toEqual({ migrations: [], functions: [] });

  await hold.end();
  expect((await migrating).migrations).toEqual(["0002_m.sql"]);
  // It goes on on the schema that is newer than it now.
  expect(await applySchema(nodeOf(db), files())).toEqual({ migrations: [], functions: [] });
});

test("a build whose connection PostgreSQL ends in any phase is begun again, and the invalid index is gone", async ({
  db,
}) => {
  const { database } = db;
  const phases = ["waiting for writers before build", "waiting for old snapshots"];
  for (const phase of phases) {
    // A transaction that has written is waited for first; one that only reads, with a snapshot, at the end.
    const hold = await holdTransaction(db, phase === phases[0] ? "write" : "snapshot");
    const failed = applySchema(nodeOf(db), files(concurrently)).catch((error: unknown) => error);
    await expect.poll(() => phaseOf(database), patience).toBe(phase);
    await database.query(sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_progress_create_index
      where datid = (select oid from pg_database where datname = current_database())`);
    expect(await failed).toBeInstanceOf(Error);
    await hold.end();
    expect(await recorded(database)).toBe(1);
    expect(Object.values(await indexes(database))).toContain(false);
  }

  expect((await applySchema(nodeOf(db), files(concurrently))).migrations).toEqual(["0002_m.sql"]);
  expect(await indexes(database)).toEqual({ numbers_once: true, numbers_by_m: true });
});

test("what was finished before a kill is not made again", async ({ db }) => {
  const { database } = db;
  await database.query(sql`create unique index concurrently numbers_once on numbers (n)`);
  const [before] = await database.query(sql`select 'numbers_once'::regclass::oid as oid`);

  await applySchema(nodeOf(db), files(concurrently));

  expect(await database.query(sql`select 'numbers_once'::regclass::oid as oid`)).toEqual([before]);
});

test("a unique index that rows forbid is taken away again, and the schema is as it was", async ({
  db,
}) => {
  const { database } = db;
  await database.query(sql`insert into numbers (n) values (1), (1)`);

  await expect(applySchema(nodeOf(db), files(concurrently))).rejects.toThrow(
    'could not create unique index "numbers_once"',
  );

  expect(await indexes(database)).toEqual({ numbers_old: true });
  await database.query(sql`insert into numbers (n) values (1)`);
  expect(await recorded(database)).toBe(1);
});

test("limits of the role end no build", async ({ db }) => {
  const { database } = db;
  const [row] = await database.query<{ name: string }>(sql`select current_database() as name`);
  for (const limit of ["statement_timeout", "lock_timeout"])
    await database.query({
      text: `alter database ${row?.name} set ${limit} = '400ms'`,
      values: [],
    });
  const hold = await holdTransaction(db);
  const migrating = applySchema(nodeOf(db), files(concurrently));
  await expect.poll(() => phaseOf(database), patience).toContain("waiting");
  await expect.poll(() => secondsOf(database), patience).toBeGreaterThan(1);
  await hold.end();

  expect((await migrating).migrations).toEqual(["0002_m.sql"]);
});

base(
  "an index of a table with a company's rows is built and recorded, also where the rows are on other nodes",
  async ({ db: { database, url }, skip }) => {
    const [role] = await database.query<{ is_superuser: boolean }>(sql`
      select rolsuper as is_superuser from pg_roles where rolname = current_user`);
    skip(role?.is_superuser !== true, "only a superuser can spoil the catalog");
    const own = await readOwnSchema();
    const version = own.migrations.length + 1;
    const [name, text] = [
      `${version}_m.sql`,
      "create index concurrently transfers_of_test on transfers (company_id, fee);",
    ];
    const next = { version, name, hash: text, text, compatibleFrom: 1 };
    const newer = {
      ...own,
      migrations: [...own.migrations, { ...next, steps: parseSteps(name, text) }],
    };
    // What a node leaves behind that is lost before the end.
    await database.query(sql`create index transfers_of_test on transfers (company_id, fee)`);
    await database.query(sql`
      update pg_index set indisvalid = false where indexrelid = 'transfers_of_test'::regclass`);

    expect((await applySchema(nodeOf({ url, database }), newer)).migrations).toEqual([name]);
    expect(
      await database.query(sql`
        select indisvalid as is_valid from pg_index where indexrelid = 'transfers_of_test'::regclass`),
    ).toEqual([{ is_valid: true }]);
  },
);

test.for([
  "create index numbers_by_m on numbers (m);",
  "create index concurrently if not exists numbers_by_m on numbers (m);",
  "create index concurrently on numbers (m);",
  "update numbers set m = m + 1;",
  "drop index concurrently numbers_old;",
  "alter table numbers add constraint x check (m > 0);",
  "-- nothing",
])("what cannot be done again after a kill is a mistake of the file: %s", (text) => {
  expect(() => parseSteps("0002_m.sql", text)).toThrow("migration 0002_m.sql");
});

function nodeOf({ url }: TestDatabase): Database {
  const node = new Database({ url, poolSize: 2 });
  onTestFinished(() => node.close());
  return node;
}

/** A transaction of somebody else, which the build of an index has to wait for. */
async function holdTransaction(db: TestDatabase, kind: "write" | "snapshot" = "write") {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = () => {};
  const isOpen = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const done = nodeOf(db).transaction(async (tx) => {
    if (kind === "snapshot") {
      await tx.query(sql`set transaction isolation level repeatable read`);
      await tx.query(sql`select 1`);
    } else await tx.query(sql`insert into numbers (n) values (500)`);
    begun();
    await ended;
    throw new RolledBack();
  });
  const settled = done.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  await isOpen;
  return {
    end: async () => {
      end();
      await settled;
    },
  };
}

class RolledBack extends Error {}

async function phaseOf(database: Database): Promise<string> {
  const [row] = await database.query<{ phase: string }>(sql`
    select phase from pg_stat_progress_create_index
    where datid = (select oid from pg_database where datname = current_database())`);
  return row?.phase ?? "";
}

async function secondsOf(database: Database): Promise<number> {
  const [row] = await database.query<{ seconds: number }>(sql`
    select extract(epoch from clock_timestamp() - a.query_start)::float8 as seconds
    from pg_stat_progress_create_index p join pg_stat_activity a using (pid)
    where p.datid = (select oid from pg_database where datname = current_database())`);
  return row?.seconds ?? 0;
}

async function recorded(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::integer as count from schema_migrations`,
  );
  return row?.count ?? 0;
}

/** Each index of the table, and whether it is valid. */
async function indexes(database: Database): Promise<Record<string, boolean>> {
  const rows = await database.query<{ name: string; isValid: boolean }>(sql`
    select indexrelid::regclass::text as name, indisvalid as "isValid" from pg_index
    where indrelid = 'numbers'::regclass`);
  return Object.fromEntries(rows.map(({ name, isValid }) => [name, isValid]));
}

async function isValidated(database: Database): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from pg_constraint where conname = 'numbers_small' and convalidated`);
  return rows.length === 1;
}
