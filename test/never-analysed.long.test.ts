import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditChecks } from "../src/audit-checks.ts";
import { Database, type Tx } from "../src/database/database.ts";
import { type Query, sql } from "../src/database/sql.ts";
import { audit } from "../src/ledger/audit.ts";
import type { AuditRows } from "../src/ledger/audit-rows.ts";
import { ask } from "../torture/api/client.ts";
import { growingTables } from "./filled-database.ts";
import {
  makeCompany,
  makeDatabase,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
  untilSettled,
} from "./fixtures.ts";
import { isOnCluster, notOnCluster } from "./on-cluster.ts";
import {
  canExplain,
  explainEverything,
  findScans,
  findTriedPairs,
  type PlanNode,
  PlanTap,
  readIndexes,
} from "./plans.ts";
import { patience, startReceiver } from "./receiver.ts";

/**
 * A new installation with a big first day: its tables grow from nothing to thousands of rows on connections that made
 * their plans while there was nothing, and nobody has analysed a table. No statement may read more for that.
 */
const companiesCount = 2;
const transfersPerCompany = 20_000;
const batchRows = 1_000;
const singlesAtOnce = 32;
const strangerMsisdn = "2250500000000";

let db: TestDatabase;
let tap: PlanTap;
let service: TestService;
let isPossible = false;
const companies: TestCompany[] = [];
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (isOnCluster()) return;
  // A used one may have been analysed while it was used.
  const made = await makeDatabase("cauri_template", false);
  closings.unshift(() => made.drop());
  db = made;
  isPossible = await canExplain(db.database);
  if (!isPossible) return;
  await forbidAnalysing(db);
  for (let index = 0; index < companiesCount; index += 1)
    companies.push(await makeCompany(db.database, { fund: 10_000_000_000 }));
  await explainEverything(db.database);
  tap = await PlanTap.before(db.url);
  const database = new Database({ url: tap.url, poolSize: 4 });
  service = await startService({ url: tap.url, database });
  closings.unshift(
    () => service.stop(),
    () => database.close(),
    () => tap.close(),
  );
});

afterAll(async () => {
  for (const close of closings) await close();
});

beforeEach((context) => {
  notOnCluster(context, "plans");
  context.skip(!isPossible, "only a superuser can have plans shown");
});

test("a database that is never analysed grows to 20 000 transfers a company, and no statement reads more than at its start", async () => {
  const receiver = await startReceiver((received, response) =>
    response.writeHead(received.path === "/down" ? 500 : 200).end(),
  );
  for (const company of companies) {
    for (const [topic, path] of [
      ["transactions/failed", ""],
      // For one that is down everything is written down, and waits.
      ["transactions/started", "/down"],
      ["transactions/completed", "/down"],
    ]) {
      const hook = { topic, url: receiver.url + path };
      expect(await post(company, "/v1/webhooks", hook)).toBe(201);
    }
  }
  // Often enough for every connection to keep the plan of every statement, while there is next to nothing.
  for (let round = 0; round < 12; round += 1) await everything(`empty ${round}`, 4, 2);
  await untilSettled(db.database);

  for (let from = 0; from < transfersPerCompany; from += batchRows) {
    for (const company of companies) await batch(company, `grow ${from}`, batchRows);
    // Only what happens at the end is judged.
    tap.plans.length = 0;
  }
  tap.during = "the growth";
  await untilSettled(db.database);
  await expect.poll(() => analysed(db)).toEqual([]);

  tap.plans.length = 0;
  tap.during = "the first hour after the growth";
  for (let round = 0; round < 4; round += 1) await everything(`grown ${round}`, singlesAtOnce, 100);
  await untilSettled(db.database);

  for (const name of ["submit_transfers", "settle_transfers", "submit_charges", "claim_events"])
    await expect.poll(() => hasRun(name), patience).toBe(true);
  const scans = findScans(tap.plans, growingTables, await readIndexes(db.database));
  expect(scans.join("\n\n")).toBe("");
});

test("the audit finds the rows that belong together by all they have in common, and compares no others", async () => {
  expect(await analysed(db)).toEqual([]);
  const tried: string[] = [];
  // Plans alone are looked at: a bad one would not end.
  const checks = auditChecks.map(({ name, find }) => ({
    name,
    count: async () => 0,
    find: (tx: Tx, rows: AuditRows) =>
      find(
        explaining(tx, (pair) => tried.push(`${name}: ${pair}`)),
        rows,
      ),
  }));

  await audit(db.database, checks);

  expect(tried.join("\n")).toBe("");
});

/** Says of each statement which pairs it would try, and answers nothing. */
function explaining(tx: Tx, onTriedPair: (pair: string) => void): Tx {
  async function query({ text, values }: Query): Promise<never[]> {
    const explained = { text: `explain (format json) ${text}`, values };
    const [said] = await tx.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(explained);
    if (said !== undefined) findTriedPairs(said["QUERY PLAN"][0].Plan).forEach(onTriedPair);
    return [];
  }
  return { query } as unknown as Tx;
}

/** Some of everything that a company does, on as many connections as there are. */
async function everything(mark: string, singles: number, rows: number): Promise<void> {
  for (const company of companies) {
    await Promise.all(
      Array.from({ length: singles }, (_, index) =>
        post(company, "/v1/transactions", { type: "transfer", ...row(`${mark} ${index}`, index) }),
      ),
    );
    // The same again: references and external ids that are used.
    expect(
      await post(company, "/v1/transactions", { type: "transfer", ...row(`${mark} 0`, 0) }),
    ).toBe(409);
    await batch(company, `${mark} batch`, rows);
    const charge = {
      amount: 500,
      externalId: mark,
      description: "Order",
      onCanceledRedirectionUrl: "https://shop.example/",
      onCompletedRedirectionUrl: "https://shop.example/",
    };
    expect(await post(company, "/v1/charges", charge)).toBe(201);
    expect(await post(company, "/v1/charges", charge)).toBe(409);
    for (const query of [
      "",
      "status=pending",
      "status=completed",
      "status=failed",
      `msisdn=${strangerMsisdn}`,
      "reference=empty 1 0",
      "createdFrom=2020-01-01",
    ]) {
      const answer = await ask(service.url, "GET", `/v1/transactions?${query}`, {
        token: company.accessToken,
      });
      expect(answer.status).toBe(200);
    }
  }
}

async function batch(company: TestCompany, mark: string, rows: number): Promise<void> {
  const transactions = Array.from({ length: rows }, (_, index) => row(`${mark} ${index}`, index));
  expect(await post(company, "/v1/transactions/batch", { transactions })).toBe(201);
}

/** One in fifty goes to a number that nobody has, and fails. */
function row(reference: string, index: number) {
  return { amount: 5_000, msisdn: index % 50 === 0 ? strangerMsisdn : "2250700000000", reference };
}

async function post(company: TestCompany, path: string, body: object): Promise<number> {
  const token = company.accessToken;
  return (await ask(service.url, "POST", path, { token, body })).status;
}

/** Of the tables that are there, and of those that are made as time goes: one for each day, say. */
async function forbidAnalysing({ database }: TestDatabase): Promise<void> {
  const tables = await database.query<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`);
  for (const { name } of tables)
    await database.query({
      text: `alter table ${name} set (autovacuum_enabled = false)`,
      values: [],
    });
  await database.query(sql`
    create function leave_alone() returns event_trigger language plpgsql as '
      declare made record;
      begin
        for made in select c.oid::regclass as name from pg_event_trigger_ddl_commands() d
          join pg_class c on c.oid = d.objid where d.classid = ''pg_class''::regclass and c.relkind = ''r''
        loop
          execute format(''alter table %s set (autovacuum_enabled = false)'', made.name);
        end loop;
      end'`);
  await database.query(sql`
    create event trigger leave_alone on ddl_command_end when tag in ('CREATE TABLE') execute function leave_alone()`);
}

/** Tables of which the planner knows more than their size. */
async function analysed({ database }: TestDatabase): Promise<string[]> {
  const tables = await database.query<{ name: string }>(sql`
    select relname as name from pg_stat_user_tables
    where last_analyze is not null or last_autoanalyze is not null`);
  return tables.map(({ name }) => name);
}

function hasRun(name: string): boolean {
  return tap.plans.some(({ statement }) => statement.includes(name));
}
