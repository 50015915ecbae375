import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { test as base, makeDatabase, type TestDatabase } from "../../test/fixtures.ts";
import { describeSchema } from "./describe-schema.ts";
import { migrate } from "./migrate.ts";
import { sql } from "./sql.ts";

interface Site {
  write(files: Record<string, string>): Promise<void>;
  remove(file: string): Promise<void>;
  /** Applies what is in the folders; returns the function files that were applied. */
  migrate(): Promise<readonly string[]>;
  /** The result of one expression, such as `twice(4)`. */
  value(expression: string): Promise<unknown>;
}

/** An empty database with a migration and function files of the test's own. */
const test = base.extend<{ db: TestDatabase; site: Site }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
  db: async ({}, use) => {
    const made = await makeDatabase("template0");
    await use(made);
    await made.drop();
  },
  site: async ({ db }, use) => {
    await use(await makeSite(db));
  },
});

async function makeSite({ database }: TestDatabase): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), "cauri-functions-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const folders = { migrations: join(folder, "migrations"), functions: join(folder, "src") };
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  await write(join(folders.migrations, "0001_numbers.sql"), "create table numbers (n integer);");
  await mkdir(folders.functions);
  return {
    async write(files) {
      for (const [file, text] of Object.entries(files))
        await write(join(folders.functions, file), text);
    },
    remove: (file) => rm(join(folders.functions, file)),
    migrate: async () => (await migrate(database, folders)).functions,
    async value(expression) {
      const [row] = await database.query<{ value: unknown }>({
        text: `select ${expression} as value`,
        values: [],
      });
      return row?.value;
    },
  };
}

/** A function of one integer in language sql. */
function arithmetic(name: string, result: string): string {
  return `create or replace function ${name}(n integer) returns integer language sql as $$ select ${result} $$;\n`;
}

test("function files are applied after the migrations, in any order, and again only when they change", async ({
  site,
}) => {
  await site.write({
    "a/quadruple.sql": arithmetic("quadruple", "twice(twice(n))"),
    "b/twice.sql": arithmetic("twice", "n * 2 + (select count(*)::integer from numbers)"),
  });

  expect(await site.migrate()).toEqual(["a/quadruple.sql", "b/twice.sql"]);
  expect(await site.value("quadruple(3)")).toBe(12);
  expect(await site.migrate()).toEqual([]);

  await site.write({ "b/twice.sql": arithmetic("twice", "n + n + 100") });
  expect(await site.migrate()).toEqual(["b/twice.sql"]);
  expect(await site.value("twice(1)")).toBe(102);
});

test("a changed function keeps its identity, so that calls under way find it", async ({ site }) => {
  await site.write({ "a/twice.sql": arithmetic("twice", "n * 2") });
  await site.migrate();
  const before = await site.value("'twice'::regproc::oid");

  await site.write({ "a/twice.sql": arithmetic("twice", "n + n") });
  await site.migrate();

  expect(await site.value("'twice'::regproc::oid")).toBe(before);
});

test("a changed result, parameter name or parameter list leaves one function and no old overload", async ({
  db,
  site,
}) => {
  await site.write({
    "a/twice.sql": arithmetic("twice", "n * 2") + arithmetic("thrice", "n * 3"),
    "b/other.sql": arithmetic("other", "n"),
  });
  await site.migrate();

  for (const [parameters, result, call] of [
    ["m integer", "integer", "twice(2)"],
    ["m integer", "text", "twice(2)"],
    ["m integer, more integer", "text", "twice(2, 2)"],
    ["m bigint", "bigint", "twice(2)"],
  ]) {
    await site.write({
      "a/twice.sql": `create or replace function twice(${parameters}) returns ${result}
        language plpgsql as $$ begin return m * 2; end $$;`,
    });
    expect(await site.migrate()).toEqual(["a/twice.sql"]);
    expect(Number(await site.value(call ?? ""))).toBe(4);
    expect(await namesOf(db)).toEqual(["other", "twice"]);
  }
});

test("a function that moves to another file stays, one whose file vanished goes", async ({
  db,
  site,
}) => {
  await site.write({
    "a/first.sql": arithmetic("stays", "n") + arithmetic("goes", "n"),
    "b/second.sql": arithmetic("second", "n"),
  });
  await site.migrate();

  await site.write({ "b/second.sql": arithmetic("second", "n") + arithmetic("stays", "n + 1") });
  await site.remove("a/first.sql");

  expect(await site.migrate()).toEqual(["b/second.sql", "a/first.sql"]);
  expect(await namesOf(db)).toEqual(["second", "stays"]);
  expect(await site.value("stays(1)")).toBe(2);
});

test("functions of the migrations, such as triggers, are left alone", async ({ db, site }) => {
  await db.database.query({ text: arithmetic("of_a_migration", "n"), values: [] });
  await site.write({ "a/twice.sql": arithmetic("twice", "n * 2") });
  await site.migrate();
  await site.remove("a/twice.sql");
  await site.migrate();

  expect(await namesOf(db)).toEqual(["of_a_migration"]);
});

test.for([
  [
    "a body that PostgreSQL cannot compile",
    {
      "a/wrong.sql":
        "create or replace function wrong() returns integer language plpgsql as $$ begin retrun 1; end $$;",
    },
  ],
  ["a body that names no column", { "a/wrong.sql": arithmetic("wrong", "nothing_like_it") }],
  [
    "two files with one function",
    { "a/wrong.sql": arithmetic("wrong", "n"), "b/wrong.sql": arithmetic("wrong", "n + 1") },
  ],
  [
    "a function that cannot be replaced",
    { "a/wrong.sql": arithmetic("wrong", "n").replace(" or replace", "") },
  ],
] as const)("%s fails the upgrade and changes no function", async ([, wrong], { db, site }) => {
  await site.write({ "a/twice.sql": arithmetic("twice", "n * 2") });
  await site.migrate();

  await site.write({ "a/twice.sql": arithmetic("twice", "0"), ...wrong });

  await expect(site.migrate()).rejects.toThrow();
  expect(await namesOf(db)).toEqual(["twice"]);
  expect(await site.value("twice(4)")).toBe(8);
});

test("the described schema shows functions wherever they come from", async ({ db, site }) => {
  await site.write({ "a/twice.sql": arithmetic("twice", "n * 2") });
  await site.migrate();

  expect(await describeSchema(db.database)).toContain("FUNCTION public.twice(n integer)");
});

async function namesOf({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace order by proname`);
  return rows.map(({ name }) => name);
}
