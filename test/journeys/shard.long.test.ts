import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { sql } from "../../src/database/sql.ts";
import { runCommand } from "../../torture/program.ts";
import { TestCluster } from "../cluster.ts";
import { makeCompany } from "../fixtures.ts";
import { chooseTestPort } from "../free-port.ts";
import { NextRelease } from "../next-release.ts";

const masterKey = Buffer.alloc(32, 7).toString("base64");

test("cauri shard refuses what cannot go well, each time with a sentence, and changes nothing; what a later release adds is put in its place", async (context) => {
  const cluster = TestCluster.start(context, await chooseTestPort(3));
  const { url } = cluster;
  const folder = await mkdtemp(join(tmpdir(), "cauri-shard-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const run = (args: readonly string[], root?: string, at = url) =>
    runCommand(folder, args, { DATABASE_URL: at, MASTER_KEY: masterKey }, root);
  const before = new Database({ url, poolSize: 1 });
  await migrate(before);
  const { id: companyId } = await makeCompany(before);
  await before.close();
  const refused = async (sentence: RegExp) => {
    const { code, stderr } = await run(["shard"]);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/\n\s+at /);
    const { rows } = await cluster.administer(0, "select count(*)::integer from pg_dist_partition");
    expect(rows, "nothing was distributed").toEqual([{ count: 0 }]);
  };

  // A worker has none of our migrations, and whoever followed the advice to apply them would do it there.
  for (const command of ["shard", "migrate"]) {
    const { code, stderr } = await run([command], undefined, cluster.urlAt(1));
    expect(stderr).toMatch(/DATABASE_URL names a worker of the cluster.*Nothing was changed/);
    expect(code).toBe(1);
  }
  const made = await cluster.administer(1, "select to_regclass('public.schema_migrations') as it");
  expect(made.rows).toEqual([{ it: null }]);

  await cluster.administer(0, "revoke set on parameter session_replication_role from cauri");
  await refused(/may not split the database.*grant set on parameter/);
  await cluster.administer(0, "grant set on parameter session_replication_role to cauri");

  const other = new pg.Client({ connectionString: url, application_name: "cauri:elsewhere" });
  await other.connect();
  await refused(/A service or another command of Cauri is using the database/);
  await other.end();

  await cluster.administer(0, "create table public.stray (id integer primary key)");
  await refused(/Where the rows of stray belong on a cluster is not known/);
  await cluster.administer(0, "drop table public.stray");

  const property = (node: number, value: boolean) =>
    `select citus_set_node_property('127.0.0.1', ${cluster.basePort + node}, 'shouldhaveshards', ${value})`;
  for (const node of [1, 2]) await cluster.administer(0, property(node, false));
  await refused(/The cluster is not ready: no node may have rows/);
  for (const node of [1, 2]) await cluster.administer(0, property(node, true));

  await cluster.stop(2);
  await refused(
    new RegExp(
      `The cluster is not ready: 127\\.0\\.0\\.1:${cluster.basePort + 2} cannot be reached`,
    ),
  );
  cluster.startAgain(2);

  const split = await run(["shard", "--shards", "4"]);
  expect(split.stderr + split.stdout).toMatch(/The books are in order\./);
  expect(split.code).toBe(0);
  const again = await run(["shard"]);
  expect(again.stderr).toMatch(/The database is split by company already/);
  expect(again.code).toBe(1);

  const next = await NextRelease.make();
  await next.addMigration(`
    create table gifts (
      company_id uuid not null,
      name text not null,
      constraint gifts_pk primary key (company_id, name)
    );`);
  await next.addFunctions(
    "gifts/count-gifts.sql",
    `create or replace function count_gifts(p_company uuid) returns bigint language plpgsql as $$
    declare v_count bigint;
    begin
      select count(*) into v_count from gifts g where g.company_id = p_company;
      return v_count;
    end $$;`,
  );
  const unclassified = await run(["migrate"], next.root);
  expect(unclassified.stderr).toMatch(/Where the rows of gifts belong on a cluster is not known/);
  expect(unclassified.code).toBe(1);
  const database = new Database({ url, poolSize: 1 });
  onTestFinished(() => database.close());
  const found = () => database.query(sql`select to_regclass('public.gifts') as gifts`);
  expect(await found()).toEqual([{ gifts: null }]);

  await next.classifyBeside("fundings", "gifts");
  const upgraded = await run(["migrate"], next.root);
  expect(upgraded.stderr + upgraded.stdout).toMatch(/0\d+_next/);
  expect(upgraded.code).toBe(0);
  const placed = await database.query(sql`
    select (select colocationid from pg_dist_partition where logicalrelid = 'gifts'::regclass)
      = (select colocationid from pg_dist_partition where logicalrelid = 'companies'::regclass) as is_beside_companies,
      (select distribution_argument_index from pg_dist_object where objid = 'count_gifts'::regproc) as argument`);
  expect(placed).toEqual([{ is_beside_companies: true, argument: 0 }]);
  await database.query(sql`insert into gifts (company_id, name) values (${companyId}, 'flowers')`);
  expect(
    await database.query(sql`select count_gifts as gifts from count_gifts(${companyId})`),
  ).toEqual([{ gifts: 1 }]);
  const audited = await run(["audit"], next.root);
  expect(audited.code, audited.stdout + audited.stderr).toBe(0);
});
