import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, onTestFinished, type TestContext } from "vitest";
import { createCompany } from "../../src/companies/create-company.ts";
import { Database } from "../../src/database/database.ts";
import { sqlState } from "../../src/database/errors.ts";
import { sql } from "../../src/database/sql.ts";
import { packageRoot } from "../../src/kernel/root.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { Random } from "../../torture/random.ts";
import { Shop } from "../../torture/traffic/shop.ts";
import { test } from "../fixtures.ts";
import { makeEmptyDataDir, runCommand, startProcess } from "../process.ts";
import { isInstalled } from "../proxies.ts";

const patience = { timeout: 120_000, interval: 50 };
const notPrivileged = "42501";

test("a service whose role owns no table does all its work, changes no table, and waits for the owner's migration", async ({
  skip,
}) => {
  const site = await makeSite(skip);
  const { serving, owner, database } = site;

  // Before the owner has migrated, it says who has to.
  for (const args of [["migrate"], ["serve"], ["company", "list"]]) {
    const { code, stderr } = await site.command(args, serving);
    expect([args, code]).toEqual([args, 1]);
    expect(stderr).toContain(`The role ${site.name} may not bring it up to date: run`);
    expect(stderr).toContain(`of the role ${site.name}_owner`);
  }
  expect((await site.command(["migrate"], owner)).stderr).toBe("");

  const service = await startProcess(site.dataDir, site.settings(serving));
  const shop = await Shop.open(
    {
      database,
      makeCompany: async (request) => {
        const { company, key } = await createCompany(database, secretBox(site.masterKey), request);
        return { id: company.id, accessToken: key.accessToken, secretKey: key.secretKey };
      },
    },
    {
      url: () => service.url,
      random: new Random(1),
      shoppers: 3,
      pauseMs: 5,
      answerLimitMs: 60_000,
    },
  );
  onTestFinished(() => shop.close());
  shop.start();
  const { journal } = shop;
  await expect
    .poll(
      () =>
        journal.transfers.length > 30 && journal.charges.some(({ refunds }) => refunds.length > 0),
      patience,
    )
    .toBe(true);
  await shop.stop();
  expect((await shop.verify(patience.timeout, "full")).findings).toEqual([]);

  for (const args of [
    ["audit", "--json"],
    ["trail"],
    ["seal"],
    ["check"],
    ["backup", join(site.dataDir, "a.backup")],
  ]) {
    const { code, stdout, stderr } = await site.command(args, serving);
    expect([args, code, stderr], stdout).toEqual([
      args,
      0,
      expect.not.stringContaining("permission"),
    ]);
  }

  // What makes, drops and renames tables while it serves; the month is one that is long over.
  for (const table of ["deliveries", "attempts"])
    await site.asOwner(`
      create table ${table}_2026_01 partition of ${table}
      for values from ('2026-01-01T00:00:00Z') to ('2026-02-01T00:00:00Z')`);
  for (const [statement, expected] of [
    ["select make_delivery_months(4, 1000) as result", 2],
    ["select make_request_days(20, 1000) > 0 as result", true],
    ["select turn_idempotency_keys('0 seconds', 1000) as result", true],
    ["select forget_request_day('-30 days', 1000) is not null as result", true],
    ["select forget_delivery_month('30 days', 10000, '120 days', 1000) as result", "2026_01"],
  ] as const)
    expect([statement, await database.query({ text: statement, values: [] })]).toEqual([
      statement,
      [{ result: expected }],
    ]);

  const audited = await site.command(["audit", "--full", "--json"], serving);
  expect([audited.code, audited.stderr], audited.stdout).toEqual([0, ""]);
  expect((await site.command(["check"], serving)).stdout).toContain(
    `${site.name}, which owns no table`,
  );
  expect(await ownedBy(database, `${site.name}_owner`)).toEqual([]);
  const table = "transfers";
  for (const statement of [
    `alter table ${table} disable trigger all`,
    `drop trigger ${table}_append_only on ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
    `alter table ${table} add column note text`,
    `create index on ${table} (fee)`,
    `create trigger mine before insert on ${table} for each row execute function refuse_change()`,
    "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'",
    "create table public.mine (a integer)",
    "set session_replication_role = replica",
    `set role ${site.name}_owner`,
    "alter role current_user superuser",
    "copy transfers to program 'true'",
    "select pg_read_file('postgresql.conf')",
  ])
    expect([statement, await stateOf(database, statement)]).toEqual([statement, notPrivileged]);
  for (const name of ["transfers", "postings", "outcomes", "company_trail"])
    expect(await stateOf(database, `delete from ${name}`)).toMatch(/^(CA\d\d|P0001)/);

  // A later release: nodes go on where they are, and a new start names the owner.
  await service.end("SIGTERM");
  await site.asOwner("delete from schema_functions");
  const behind = await site.command(["serve"], serving);
  expect([behind.code, behind.stderr]).toEqual([
    1,
    expect.stringContaining(`lacks the SQL functions of this version`),
  ]);
  expect((await site.command(["migrate"], owner)).code).toBe(0);
  await startProcess(site.dataDir, site.settings(serving));
});

/** A database and its roles, made by the script that production uses. */
async function makeSite(skip: TestContext["skip"]) {
  const admin = inject("postgresUrl");
  const [role] = await ask<{ isSuperuser: boolean }>(
    admin,
    `select rolsuper as "isSuperuser" from pg_roles where rolname = current_user`,
  );
  skip(role?.isSuperuser !== true, "only a superuser can make roles");
  skip(!isInstalled("psql"), "psql is not installed here");
  skip(inject("isCluster"), "on Citus one role does both: docs/scaling.md");
  const name = `roles_${inject("runId")}`;
  const folder = await mkdtemp(join(tmpdir(), "cauri-roles-"));
  // Quotes and all that a shell or SQL could take for something else.
  const passwords = { serving: 'it\'s $HOME `a` \\ "b"', owner: randomBytes(8).toString("hex") };
  for (const [of, password] of Object.entries(passwords))
    await writeFile(join(folder, of), `${password}\n`);
  onTestFinished(async () => {
    await ask(admin, `drop database if exists ${name} with (force)`);
    for (const one of [name, `${name}_owner`]) await ask(admin, `drop role if exists ${one}`);
    await rm(folder, { recursive: true });
  });
  const { hostname, port, username, password } = new URL(admin);
  execFileSync(join(packageRoot, "deploy/postgresql/make-roles.sh"), {
    stdio: "pipe",
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      CAURI_DATABASE: name,
      CAURI_PASSWORD_FILE: join(folder, "serving"),
      CAURI_OWNER_PASSWORD_FILE: join(folder, "owner"),
    },
  });

  const urlOf = (user: string, secret: string) =>
    `postgres://${user}:${encodeURIComponent(secret)}@${hostname}:${port}/${name}`;
  const serving = urlOf(name, passwords.serving);
  const owner = urlOf(`${name}_owner`, passwords.owner);
  const dataDir = await makeEmptyDataDir();
  const masterKey = randomBytes(32);
  const settings = (url: string) => ({
    DATABASE_URL: url,
    MASTER_KEY: masterKey.toString("base64"),
    LOG_LEVEL: "warn",
  });
  const database = new Database({ url: serving, poolSize: 4 });
  onTestFinished(() => database.close());
  return {
    name,
    serving,
    owner,
    dataDir,
    masterKey,
    settings,
    database,
    command: (args: readonly string[], url: string) => runCommand(dataDir, args, settings(url)),
    asOwner: (statement: string) => ask(owner, statement),
  };
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Everything in the schema that belongs to anybody else, or that the session's role may not use as it must. */
async function ownedBy(database: Database, owner: string): Promise<object[]> {
  return database.query(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S')
      and (pg_get_userbyid(relowner) <> ${owner} or relkind <> 'S' and not (
        has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
        and not has_table_privilege(oid, 'truncate, trigger, references')))
    union all
    select proname::text from pg_proc
    where pronamespace = 'public'::regnamespace and pg_get_userbyid(proowner) <> ${owner}`);
}

/** The SQLSTATE of the refusal; "none" when there was none. */
async function stateOf(database: Database, statement: string): Promise<string> {
  try {
    await database.transaction((tx) => tx.query({ text: statement, values: [] }));
    return "none";
  } catch (error) {
    return sqlState(error) ?? String(error);
  }
}
