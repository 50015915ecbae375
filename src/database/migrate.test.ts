import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { test as base, makeDatabase, type TestDatabase } from "../../test/fixtures.ts";
import { checkSchema } from "./check-schema.ts";
import { Database } from "./database.ts";
import { DatabaseOfAnotherLine, DatabaseTooNew, DatabaseTooOld } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { SchemaSource } from "./schema-files.ts";
import { sql } from "./sql.ts";

/** A program's schema by its parts: the texts of its migrations and what its function `answer` returns. */
interface Program {
  readonly migrations: readonly string[];
  readonly release?: string;
  readonly answer?: number;
}

const test = base.extend<{ db: TestDatabase; empty: Database }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
  db: async ({}, use) => {
    const made = await makeDatabase("template0");
    await use(made);
    await made.drop();
  },
  empty: async ({ db }, use) => {
    await use(db.database);
  },
});

const first = "create table numbers (n integer);";
const compatible = "-- compatible-from: 1\ncreate table letters (l text);";
const incompatible = "drop table numbers;";

test("several nodes that start together on an empty database migrate it once", async ({
  db,
  empty,
}) => {
  const nodes = Array.from({ length: 5 }, () => new Database({ url: db.url, poolSize: 1 }));
  try {
    const applied = (await Promise.all(nodes.map((node) => migrate(node)))).flatMap(
      ({ migrations, functions }) => [...migrations, ...functions],
    );

    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied).size).toBe(applied.length);
    await checkSchema(empty);
    expect(await migrate(empty)).toEqual({ migrations: [], functions: [] });
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
});

base(
  "a database that a newer program has changed beyond this one is refused with advice, and not ready",
  async ({ db, service }) => {
    await db.database.query(sql`
    insert into schema_migrations (version, name, hash, compatible_from)
    values (9999, '9999_future.sql', 'unknown', 9999)`);

    await expect(migrate(db.database)).rejects.toThrow(DatabaseTooNew);
    await expect(migrate(db.database)).rejects.toThrow("newer version of Cauri");
    const { status, body } = await service.call("GET", "/readyz");
    expect([status, body.problem]).toEqual([
      503,
      expect.stringContaining("newer version of Cauri"),
    ]);
  },
);

base(
  "a node serves and starts on a newer schema that says it works with it",
  async ({ db, service }) => {
    await db.database.query(sql`
    insert into schema_migrations (version, name, hash, compatible_from)
    select max(version) + 1, 'next.sql', 'unknown', max(version) from schema_migrations`);

    expect((await service.call("GET", "/readyz")).status).toBe(200);
    expect(await migrate(db.database)).toEqual({ migrations: [], functions: [] });
  },
);

test("of several newer migrations the most demanding decides", async ({ empty }) => {
  const old = await programOf({ migrations: [first] });
  const next = await programOf({ migrations: [first, compatible] });
  const afterNext = await programOf({ migrations: [first, compatible, incompatible] });

  await migrate(empty, next);
  await checkSchema(empty, old);
  await migrate(empty, afterNext);

  await expect(checkSchema(empty, old)).rejects.toThrow(DatabaseTooNew);
  await expect(checkSchema(empty, next)).rejects.toThrow(DatabaseTooNew);
  await checkSchema(empty, afterNext);
});

test("an older program applies neither migrations nor functions", async ({ empty }) => {
  const old = await programOf({ migrations: [first], answer: 1 });
  await migrate(empty, await programOf({ migrations: [first, compatible], answer: 2 }));

  expect(await migrate(empty, old)).toEqual({ migrations: [], functions: [] });
  expect(await answerOf(empty)).toBe(2);
});

test("with the same migrations, a later release replaces the functions and an earlier one leaves them", async ({
  empty,
}) => {
  const releases = await Promise.all(
    ["0.9.1", "0.10.0", "0.10.1"].map((release, index) =>
      programOf({ migrations: [first], release, answer: index }),
    ),
  );
  for (const [index, program] of releases.entries()) {
    await migrate(empty, program);
    expect(await answerOf(empty)).toBe(index);
  }
  for (const program of releases) {
    await migrate(empty, program);
    await checkSchema(empty, program);
    expect(await answerOf(empty)).toBe(2);
  }
  // The operator's way back, see docs/operating.md.
  await empty.query(sql`update schema_functions set release = '0.0.0'`);
  await migrate(empty, releases[0]);
  expect(await answerOf(empty)).toBe(0);
});

test("a release without functions of its own to change still keeps earlier releases off", async ({
  empty,
}) => {
  const middle = { migrations: [first], answer: 1 };
  await migrate(empty, await programOf({ ...middle, release: "1.1.0" }));
  await migrate(empty, await programOf({ ...middle, release: "1.2.0" }));
  await migrate(empty, await programOf({ migrations: [first], answer: 0, release: "1.1.1" }));

  expect(await answerOf(empty)).toBe(1);
});

test("whoever does not migrate is told what the database lacks and what to do", async ({
  empty,
}) => {
  const old = { migrations: [first], release: "1.0.0", answer: 1 };
  const check = async (program: Program) => checkSchema(empty, await programOf(program));

  await expect(check(old)).rejects.toThrow(DatabaseTooOld);
  await migrate(empty, await programOf(old));
  await check(old);
  await expect(check({ ...old, migrations: [first, compatible] })).rejects.toThrow(
    "lacks the migration 0002_m.sql of this version of Cauri. Run `cauri migrate`",
  );
  await expect(check({ ...old, release: "1.0.1" })).rejects.toThrow("lacks the SQL functions");
});

test("a database of a development version, with its own record of migrations, is refused with advice", async ({
  empty,
}) => {
  await empty.query(sql`
    create table schema_migrations (
      version integer not null,
      name text not null,
      applied_at timestamptz not null default now(),
      constraint schema_migrations_pk primary key (version)
    )`);
  await empty.query(sql`
    insert into schema_migrations (version, name) values
      (1, '0001_companies.sql'), (2, '0002_ledger.sql'), (3, '0003_customers.sql')`);

  await expect(migrate(empty)).rejects.toThrow(DatabaseOfAnotherLine);
  await expect(checkSchema(empty)).rejects.toThrow(
    "Data of development versions cannot be carried over: name a new database in DATABASE_URL, or a new folder in DATA_DIR.",
  );
});

test("a database whose migrations differ from the program's is refused, and nothing is applied", async ({
  empty,
}) => {
  await migrate(empty, await programOf({ migrations: [first] }));
  const edited = await programOf({ migrations: [`${first}\n-- edited`, compatible], answer: 1 });

  await expect(migrate(empty, edited)).rejects.toThrow(
    "its migration 0001_m.sql differs from the one in this program",
  );
  await expect(answerOf(empty)).rejects.toThrow("does not exist");
});

test("a migration that waits for a locked table lets others pass and tries again", async ({
  db,
  empty,
}) => {
  await migrate(empty, await programOf({ migrations: [first] }));
  const next = await programOf({ migrations: [first, "alter table numbers add m integer;"] });
  const isWaiting = async () =>
    (
      await empty.query(sql`
        select 1 from pg_locks where not granted and relation = 'numbers'::regclass
          and database = (select oid from pg_database where datname = current_database())`)
    ).length > 0;
  const until = async (expected: boolean) => {
    while ((await isWaiting()) !== expected);
  };
  const node = new Database({ url: db.url, poolSize: 1 });
  onTestFinished(() => node.close());

  const migrating = await empty.transaction(async (tx) => {
    await tx.query(sql`select n from numbers`);
    const underWay = { result: migrate(node, next) };
    await until(true);
    await until(false);
    return underWay;
  });

  expect((await migrating.result).migrations).toEqual(["0002_m.sql"]);
});

test("a migration that claims to work with later programs only is a mistake", async ({ empty }) => {
  const wrong = await programOf({ migrations: ["-- compatible-from: 2\nselect 1;"] });

  await expect(migrate(empty, wrong)).rejects.toThrow("0001_m.sql claims to need");
});

async function programOf({ migrations, release, answer }: Program): Promise<SchemaSource> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-schema-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const source = { migrations: join(folder, "migrations"), functions: join(folder, "src") };
  await mkdir(source.migrations);
  await mkdir(source.functions);
  for (const [index, text] of migrations.entries())
    await writeFile(join(source.migrations, `000${index + 1}_m.sql`), text);
  if (answer !== undefined)
    await writeFile(
      join(source.functions, "answer.sql"),
      `create or replace function answer() returns integer language sql as $$ select ${answer} $$;`,
    );
  return { ...source, release: release ?? "1.0.0" };
}

async function answerOf(database: Database): Promise<number | undefined> {
  return (await database.query<{ answer: number }>(sql`select answer()`))[0]?.answer;
}
