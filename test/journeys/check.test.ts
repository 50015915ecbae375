import { randomBytes } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { recordEnvironment } from "../../src/database/environment.ts";
import { sql } from "../../src/database/sql.ts";
import {
  auditDifferences,
  makeCompany,
  productionSettings,
  type TestDatabase,
  test,
} from "../fixtures.ts";
import { makeEmptyDataDir, runCommand } from "../process.ts";

interface Looked {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem" | "skipped";
  readonly message: string;
  readonly advice: string | null;
}

test("cauri check looks at an installation that is well, and changes nothing", async ({ db }) => {
  const { code, checks, stderr } = await check(db, {});
  expect([code, stderr, checks.filter(({ state }) => state === "problem")]).toEqual([0, "", []]);
  for (const name of [
    "settings",
    "secret files",
    "disk",
    "database",
    "encryption",
    "role",
    "durability",
    "standbys",
    "connections",
    "clock",
    "backup",
    "schema",
    "partitions",
    "master key",
    "audit",
  ])
    expect(checks.map((one) => one.name)).toContain(name);
  // Whoever is to do something is told what.
  for (const { state, advice } of checks)
    expect(advice === null).toBe(state === "ok" || state === "skipped");
  expect(stateOf(checks, "partitions")).toBe("ok");
  expect(stateOf(checks, "clock")).toBe("ok");
  expect(stateOf(checks, "audit")).toBe("warning");

  const text = await runCommand(await makeEmptyDataDir(), ["check"], { DATABASE_URL: db.url });
  expect(text.stdout).toMatch(/^✓ settings {2}.*staging/m);
  expect(text.stdout).toMatch(/^! audit .*there has been none\n +→ Run `cauri audit`/m);
  expect(text.stdout.trimEnd().endsWith("Nothing is wrong.")).toBe(true);
});

test("cauri check names what is misspelt, who else reads a secret, and which values are wrong", async ({
  db,
}) => {
  const dataDir = await makeEmptyDataDir();
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(`${dataDir}/master.key`, randomBytes(32).toString("base64"), { mode: 0o644 });
  const { code, checks } = await check(db, { DATABSE_POOL_SIZE: "20", LOGLEVEL: "warn" }, dataDir);
  expect(code).toBe(1);
  expect(checks.filter(({ name }) => name === "settings")).toEqual([
    expect.objectContaining({ state: "ok" }),
    expect.objectContaining({
      state: "warning",
      message: expect.stringContaining("DATABSE_POOL_SIZE") as string,
      advice: expect.stringContaining("DATABASE_POOL_SIZE") as string,
    }),
    expect.objectContaining({ advice: expect.stringContaining("LOG_LEVEL") as string }),
  ]);
  expect(stateOf(checks, "secret files")).toBe("problem");

  const wrong = await check(db, { PORT: "many" });
  expect([
    wrong.code,
    stateOf(wrong.checks, "settings"),
    stateOf(wrong.checks, "database"),
  ]).toEqual([1, "problem", "skipped"]);
});

test("cauri check reads the file of settings as well: names, and who else may read the secrets that it has or names", async ({
  db,
}) => {
  const dataDir = await makeEmptyDataDir();
  await mkdir(dataDir, { mode: 0o700 });
  const [file, key] = [`${dataDir}/settings`, `${dataDir}/key`];
  await writeFile(key, randomBytes(32).toString("base64"), { mode: 0o644 });
  const write = (text: string) =>
    writeFile(file, `MASTER_KEY_FILE=${key}\n${text}\n`, { mode: 0o644 });
  const look = () => check(db, { SETTINGS_FILE: file }, dataDir);
  const open = (checks: readonly Looked[]) =>
    checks.find(({ name }) => name === "secret files")?.message;

  await write("LOGLEVEL=warn\nSOMETHING=1");
  const { checks } = await look();
  expect(checks.filter(({ name }) => name === "settings").slice(1)).toEqual([
    expect.objectContaining({ message: expect.stringContaining("LOGLEVEL"), state: "warning" }),
    expect.objectContaining({ message: expect.stringContaining("SOMETHING"), state: "warning" }),
  ]);
  expect(open(checks)).toContain(`${key} (644)`);
  expect(open(checks)).not.toContain(`${file} (`);

  await chmod(key, 0o600);
  expect(open((await look()).checks)).toBe("only their owner may read them");
  await write("METRICS_TOKEN=sixteen-characters-and-more");
  expect(open((await look()).checks)).toContain(`${file} (644)`);
});

test("cauri check tells how old the last backup is, and of a role that may do more than it needs", async ({
  db,
}) => {
  const dataDir = await makeEmptyDataDir();
  const of = async (name: string, settings = {}) =>
    (await check(db, settings)).checks.find((one) => one.name === name);
  expect((await of("backup"))?.message).toContain("there has been no `cauri backup`");

  await mkdir(dataDir, { mode: 0o700 });
  const args = ["backup", `${dataDir}/first.backup`, "--json"];
  const backup = await runCommand(dataDir, args, { DATABASE_URL: db.url });
  expect(JSON.parse(backup.stdout)).toMatchObject({ noted: true });
  expect(await of("backup")).toMatchObject({ state: "ok" });
  expect(await auditDifferences(db.database)).toEqual([]);

  const [server] = await db.database.query<{ is_superuser: boolean }>(sql`
    select current_setting('is_superuser') = 'on' as is_superuser`);
  expect((await of("role"))?.state).toBe(server?.is_superuser === true ? "warning" : "ok");
});

test("cauri check finds what a start or a bad day would find: durability, connections, partitions, the key, the audit", async ({
  db,
}) => {
  await recordEnvironment(db.database, "production");
  await makeCompany(db.database);
  const settings = { ...productionSettings(db), DATABASE_POOL_SIZE: "200" };
  const [server] = await db.database.query<{ fsync: string }>(sql`
    select current_setting('fsync') as fsync`);
  await db.database.query({ text: await nextMonthOf(db), values: [] });
  await db.database.query(sql`
    insert into audits (number, begun_at, ended_at, is_full, differences, checks, operator)
    values (1, now(), now(), true, 3, '{}', 'test')`);

  const { code, checks } = await check(db, { ...settings, PAYMENTS_MAY_BE_LOST_WITHOUT: "" });
  expect(code).toBe(1);
  expect(stateOf(checks, "durability")).toBe(server?.fsync === "off" ? "problem" : "ok");
  expect(stateOf(checks, "connections")).toBe("problem");
  expect(stateOf(checks, "partitions")).toBe("warning");
  // Another one than the company's secrets were sealed with.
  expect(stateOf(checks, "master key")).toBe("problem");
  expect(stateOf(checks, "audit")).toBe("problem");

  const { checks: staging } = await check(db, {});
  expect(staging.find(({ name }) => name === "schema")?.message).toContain("production");
  const away = await check(db, { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  expect([away.code, stateOf(away.checks, "database")]).toEqual([1, "problem"]);
});

async function check(
  { url }: TestDatabase,
  settings: Record<string, string>,
  dataDir?: string,
): Promise<{ readonly code: number; readonly stderr: string; readonly checks: readonly Looked[] }> {
  const { code, stdout, stderr } = await runCommand(
    dataDir ?? (await makeEmptyDataDir()),
    ["check", "--json"],
    { DATABASE_URL: url, ...settings },
  );
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Looked[] };
  expect(ok).toBe(code === 0);
  return { code, stderr, checks };
}

function stateOf(checks: readonly Looked[], wanted: string): string | undefined {
  return checks.find(({ name }) => name === wanted)?.state;
}

async function nextMonthOf({ database }: TestDatabase): Promise<string> {
  const [row] = await database.query<{ text: string }>(sql`
    select 'drop table ' || string_agg(c.oid::regclass::text, ', ') as text from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'deliveries'::regclass and c.relname > to_char(now(), '"deliveries_"YYYY_MM') and c.relname ~ '[0-9]$'`);
  return row?.text ?? "";
}
