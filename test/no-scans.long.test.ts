import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../src/database/database.ts";
import { type Query, sql } from "../src/database/sql.ts";
import { startHousekeeping } from "../src/housekeeping.ts";
import { countReplay, replayDeliveries } from "../src/webhooks/replay-deliveries.ts";
import { makeBelongings, openSink, type Sink } from "../torture/api/belongings.ts";
import { exampleBody } from "../torture/api/blueprint.ts";
import { ask } from "../torture/api/client.ts";
import { fetchDocument, readOperations } from "../torture/api/document.ts";
import { addressesOf } from "./addresses.ts";
import { visitConsole } from "./console-visits.ts";
import {
  fillDatabase,
  filledId,
  growingTables,
  leftToDo,
  popularMsisdn,
  readTrailOf,
  withFilled,
} from "./filled-database.ts";
import {
  makeDatabase,
  startService,
  type TestCompany,
  type TestDatabase,
  type TestService,
} from "./fixtures.ts";
import { isOnCluster, notOnCluster } from "./on-cluster.ts";
import { visitPages } from "./page-visits.ts";
import {
  canExplain,
  explainEverything,
  findScans,
  keepPlans,
  PlanTap,
  readIndexes,
  tablesRead,
} from "./plans.ts";
import { patience } from "./receiver.ts";
import { smallTables } from "./small-tables.ts";

/** A service whose statements are seen. */
interface SeenService {
  readonly tap: PlanTap;
  readonly database: Database;
  readonly service: TestService;
}

let db: TestDatabase;
let isPossible = false;
let sink: Sink;
let large: TestCompany;
let small: TestCompany;
/** Apart from those that answer, so that a request's statements are its own. */
let workers: SeenService;
const taps: PlanTap[] = [];
const closings: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (isOnCluster()) return;
  const made = await makeDatabase();
  closings.unshift(() => made.drop());
  db = made;
  isPossible = await canExplain(db.database);
  if (!isPossible) return;
  sink = await openSink();
  closings.unshift(() => sink.close());
  ({ large, small } = await fillDatabase(db, sink.url));
  await explainEverything(db.database);
  workers = await start("worker,webhooks");
  workers.tap.during = "beside the requests";
});

afterAll(async () => {
  for (const close of closings) await close();
});

beforeEach((context) => {
  notOnCluster(context, "plans");
  context.skip(!isPossible, "only a superuser can have plans shown");
});

async function openTap(): Promise<Omit<SeenService, "service">> {
  const tap = await PlanTap.before(db.url);
  const database = new Database({ url: tap.url, poolSize: 4 });
  closings.unshift(
    () => database.close(),
    () => tap.close(),
  );
  taps.push(tap);
  return { tap, database };
}

async function start(roles: string): Promise<SeenService> {
  const { tap, database } = await openTap();
  const service = await startService({ url: tap.url, database }, { ROLES: roles });
  closings.unshift(() => service.stop());
  return { tap, database, service };
}

/** One text, so that a failure shows all of it. */
async function scansIn({ plans }: PlanTap): Promise<string> {
  expect(plans.length).toBeGreaterThan(0);
  return findScans(plans, growingTables, await readIndexes(db.database)).join("\n\n");
}

test("every table is known to grow or to stay small", async () => {
  const rows = await db.database.query<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...growingTables, ...Object.keys(smallTables)].toSorted(),
  );
});

describe("the judge finds", () => {
  const ofLarge = sql`company_id = (select company_id from companies where name = 'Large')`;
  const scans: Readonly<Record<string, readonly [found: string, statement: Query]>> = {
    "a whole table": ["of transfers", sql`select 1 from transfers where amount = 5`],
    "a whole table inside a function": [
      "of transfers",
      sql`do $$ begin perform 1 from transfers where amount = 5; end $$`,
    ],
    "a lookup without its company": [
      "charges_pk of charges",
      sql`select 1 from charges where id = ${randomUUID()}`,
    ],
    "an index whose middle column is left open": [
      "attempts_\\w+_pkey of attempts",
      sql`select 1 from attempts where ${ofLarge} and event_number = 5`,
    ],
    "all that a company has": [
      "rows of postings",
      sql`select sum(amount) from postings where ${ofLarge}`,
    ],
    "a page that passes over too many rows": [
      "rows of transfers",
      sql`select 1 from transfers where ${ofLarge} and amount = 5 order by id limit 15`,
    ],
  };
  test.each(Object.entries(scans))("%s", async (_, [found, statement]) => {
    const { tap, database } = await openTap();
    for (const setting of ["on", "off"]) {
      tap.plans.length = 0;
      await database.transaction(async (tx) => {
        await tx.query(sql`select set_config('enable_seqscan', ${setting}, true)`);
        await tx.query(statement);
      });
      expect(await scansIn(tap)).toMatch(new RegExp(`${found}|all of`));
    }
  });

  test("nothing in a lookup by the key, nor in a page", async () => {
    const { tap, database } = await openTap();
    await database.query(sql`select 1 from transfers where ${ofLarge} and id = ${randomUUID()}`);
    await database.query(sql`select 1 from transfers where ${ofLarge} order by id limit 100`);
    expect(await scansIn(tap)).toBe("");
  });
});

describe("nothing that grows is scanned", () => {
  test("by the pages for people", async () => {
    const seen = await start("api");
    await visitPages(seen.service, db, large, (page) => {
      seen.tap.during = page;
    });
    expect(await scansIn(seen.tap)).toBe("");
  });

  test("by the pages of the console, nor by a payroll that is made there", async () => {
    const { tap, service } = await start("api");
    await visitConsole(service, db, large.id, popularMsisdn, (path) => {
      tap.during = path;
    });
    expect(await scansIn(tap)).toBe("");
  });

  test("by any request of the API, whatever it asks for", async () => {
    const seen = await start("api");
    await sendEverything(seen, large, 2);
    await sendEverything(seen, small, 1);
    expect(await scansIn(seen.tap)).toBe("");
  });

  test("by what runs beside the requests", async () => {
    await expect.poll(() => leftToDo(db, large.id), patience).toEqual([]);
    const { tap, database } = workers;
    const isDone = (name: string) => tap.plans.some(({ statement }) => statement.includes(name));
    const kinds = ["settle_transfers", "drop_charges", "claim_events", "record_attempts", "logos"];
    expect(kinds.filter((name) => !isDone(name))).toEqual([]);

    // Once whole, instead of minutes after the start.
    tap.during = "housekeeping";
    const isTidied = (name: string) =>
      tap.plans.some(({ during, statement }) => during === tap.during && statement.includes(name));
    const keeping = startHousekeeping(pino({ level: "silent" }), database, {
      firstAfterMs: 0,
      everyMs: 3_600_000,
    });
    const last = "delete from staff_links";
    await expect.poll(() => isTidied(last), patience).toBe(true);
    keeping.stop();
    const tidied = ["request_log_default", "payroll_drafts", "checkouts", "one_time_codes"];
    expect(tidied.filter((name) => !isTidied(`delete from ${name}`))).toEqual([]);
    expect(await scansIn(tap)).toBe("");
  });

  test("by the operator's replay of a day, nor by a look at the trail", async () => {
    const { tap, database } = await openTap();
    const [since, until] = [new Date(Date.now() - 24 * 3_600_000), new Date()];
    const request = { companyId: large.id, webhookId: large.id, since, until, failedOnly: false };
    tap.during = "reading the trail, and replaying";
    await readTrailOf(database, large.id);
    const total = await countReplay(database, request);
    let queued = 0;
    for await (const count of replayDeliveries(database, request)) queued = count;
    expect(queued).toBe(total);
    expect(await scansIn(tap)).toBe("");
  });

  test("by any request of the API, when a connection keeps the plans of what it repeats", async () => {
    await keepPlans(db.database);
    const seen = await start("api");
    // Two filters at once are a statement that is never kept.
    await sendEverything(seen, large, 1);
    expect(await scansIn(seen.tap)).toBe("");
  });

  test("and every table that grows was read", async () => {
    const plans = taps.flatMap((tap) => tap.plans);
    const read = tablesRead(plans, await readIndexes(db.database));
    expect([...growingTables].filter((table) => !read.has(table))).toEqual([]);
  });
});

/** Every operation of the service's own document, about all that the company has. */
async function sendEverything(
  { tap, service }: SeenService,
  { id, accessToken }: TestCompany,
  filtersAtOnce: 1 | 2,
): Promise<void> {
  tap.during = "giving the company some of everything";
  const mark = `${taps.indexOf(tap)}-${id}`;
  const made = await makeBelongings(service.url, accessToken, mark, sink);
  const things = withFilled(made, await filledId(db, id), id);
  let count = 0;
  for (const operation of readOperations(await fetchDocument(service.url))) {
    const token = operation.needsToken ? accessToken : undefined;
    const isKept = operation.parameters.some(({ name }) => name === "idempotency-key");
    const send = async (address: string) => {
      count += 1;
      const unique = `${mark}-${count}`;
      const headers = isKept ? { "idempotency-key": unique } : {};
      const options = { token, headers, body: exampleBody(operation, unique) };
      tap.during = `${operation.method} ${address}`;
      const reply = await ask(service.url, operation.method, address, options);
      // The second time the answer is the one that was kept.
      if (isKept) await ask(service.url, operation.method, address, options);
      return reply;
    };
    const statuses: number[] = [];
    for (const address of addressesOf(operation, things, filtersAtOnce)) {
      const { status, body } = await send(address);
      statuses.push(status);
      // With two filters the pages behind the first are read as with one.
      if (typeof body?.cursor?.next !== "string" || address.includes("&")) continue;
      const page = `${address}${address.includes("?") ? "&" : "?"}limit=100&cursor=`;
      const next = await send(page + body.cursor.next);
      statuses.push((await send(page + next.body.cursor.prev)).status);
    }
    const isReached = statuses.some((one) => one < 300) && statuses.every((one) => one < 500);
    expect(isReached, `${operation.id} answered ${statuses.join()}`).toBe(true);
  }
}
