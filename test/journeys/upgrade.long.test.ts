import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { createCompany, type NewCompany } from "../../src/companies/create-company.ts";
import { sql } from "../../src/database/sql.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { Program } from "../../torture/program.ts";
import { Random } from "../../torture/random.ts";
import type { Sent } from "../../torture/traffic/journal.ts";
import { Shop } from "../../torture/traffic/shop.ts";
import { test as base, type TestCompany, type TestDatabase } from "../fixtures.ts";
import { NextRelease } from "../next-release.ts";
import { call as ask, makeEmptyDataDir, runCommand, startProcess } from "../process.ts";

/** Nodes and commands of both releases on one database. */
interface Installation {
  readonly start: (root?: string) => Promise<Program>;
  /** The same without the wait for its being ready. */
  readonly begin: (root: string) => Program;
  readonly command: (args: readonly string[], root?: string) => ReturnType<typeof runCommand>;
  readonly makeCompany: (request: NewCompany) => Promise<TestCompany>;
}

const test = base.extend<{ installation: Installation; next: NextRelease }>({
  installation: async ({ db }, use) => {
    const dataDir = await makeEmptyDataDir();
    const masterKey = randomBytes(32);
    const environment = {
      DATABASE_URL: db.url,
      MASTER_KEY: masterKey.toString("base64"),
      LOG_LEVEL: "warn",
      // A slow machine is not what this is about.
      EVENT_LOOP_DELAY_MAX_MS: "0",
    };
    await use({
      start: (root) => startProcess(dataDir, environment, root),
      begin: (root) => {
        const program = new Program(dataDir, { ...environment, LOG_LEVEL: "info" }, root);
        onTestFinished(() => void program.process.kill("SIGKILL"));
        return program;
      },
      command: (args, root) => runCommand(dataDir, args, environment, root),
      makeCompany: async (request) => {
        const box = secretBox(masterKey);
        const { company, key } = await createCompany(db.database, box, request);
        return { id: company.id, accessToken: key.accessToken, secretKey: key.secretKey };
      },
    });
  },
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
  next: async ({}, use) => {
    await use(await NextRelease.make());
  },
});

const patience = { timeout: 120_000, interval: 50 };
const requestsEnough = 100;

test("a node of the next release migrates under traffic on an old node: no request fails on either, nothing is lost", async ({
  db,
  installation,
  next,
}) => {
  for (const table of await tablesOf(db))
    await next.addMigration(`alter table ${table} add column of_next_release text;`, {
      isCompatible: true,
    });
  await next.changeFunctions(db.database, "of the next release");
  const old = await installation.start();
  const traffic = await Traffic.start(db, installation, old);
  await traffic.goesTo(old);

  const upgraded = await installation.start(next.root);
  await traffic.goesTo(old, upgraded);

  expect(await functionsWithout(db, "of the next release")).toEqual([]);
  await expect.poll(async () => (await fetch(`${old.url}/readyz`)).status, patience).toBe(200);
  expect((await installation.command(["company", "list"])).code).toBe(0);

  await traffic.goesTo(upgraded);
  expect(await old.end("SIGTERM")).toBe(0);
  const restarted = await installation.start();
  await traffic.goesTo(restarted, upgraded);
  expect(await functionsWithout(db, "of the next release")).toEqual([]);

  expect(await traffic.stop()).toEqual([]);
  for (const root of [undefined, next.root]) {
    const audit = await installation.command(["audit", "--json"], root);
    expect(JSON.parse(audit.stdout)).toMatchObject({ clean: true });
  }
});

test("an old node on a schema that does not work with it is not ready, does not start again and says why", async ({
  installation,
  next,
}) => {
  const old = await installation.start();
  await next.addMigration("alter table companies add column of_next_release boolean;");
  await installation.start(next.root);

  const told = async () => {
    const answer = await fetch(`${old.url}/readyz`);
    return [answer.status, (await answer.json()).problem];
  };
  await expect
    .poll(told, patience)
    .toEqual([503, expect.stringContaining("newer version of Cauri")]);
  for (const command of ["serve", "migrate", "audit"]) {
    const { code, stdout, stderr } = await installation.command([command]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("It was upgraded by a newer version of Cauri");
  }
});

test("a node that is killed while it builds an index is followed by one that finds it built: recorded once, and transfers go on meanwhile", async ({
  db,
  installation,
  next,
}) => {
  await next.addMigration(
    "-- no-transaction\ncreate index concurrently of_next_release on transfers (company_id, fee);",
    { isCompatible: true },
  );
  const old = await installation.start();
  const { accessToken } = await installation.makeCompany({ name: "Awa", fund: 1_000_000 });
  let sent = 0;
  const pay = async () => {
    const transfer = {
      type: "transfer",
      amount: 5_000,
      msisdn: "2250700000000",
      reference: `r${(sent += 1)}`,
    };
    return (await ask(old.url, accessToken, "/v1/transactions", transfer)).status;
  };
  let letGo = () => {};
  const isOver = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = db.database.transaction(async (tx) => {
    // Whoever builds an index of the table waits for this to end.
    await tx.query(sql`lock table transfers in row exclusive mode`);
    await Promise.race([isOver, sleep(patience.timeout, undefined, { ref: false })]);
  });
  const building = async () =>
    (
      await db.database.query<{ pid: number }>(sql`
        select pid from pg_stat_progress_create_index
        where datid = (select oid from pg_database where datname = current_database())`)
    ).map(({ pid }) => pid);

  const killed = installation.begin(next.root);
  await expect.poll(building, patience).toHaveLength(1);
  const [pid] = await building();
  expect(await pay()).toBe(201);
  await killed.end("SIGKILL");
  const follower = installation.begin(next.root);
  await expect.poll(() => follower.output, patience).toContain("Another connection is building");
  // PostgreSQL goes on for the one that was killed, and nobody begins a second time.
  expect(await building()).toEqual([pid]);
  expect(await pay()).toBe(201);
  await expect.poll(async () => (await fetch(`${old.url}/readyz`)).status, patience).toBe(200);
  letGo();
  await held;
  await follower.ready();

  expect(
    await db.database.query(sql`
      select i.indisvalid as is_valid, count(m.name)::integer as recorded
      from pg_index i, schema_migrations m
      where i.indexrelid = 'of_next_release'::regclass and m.name like '%_next.sql' group by 1`),
  ).toEqual([{ is_valid: true, recorded: 1 }]);
  expect(await pay()).toBe(201);
});

/** Callers of every kind, spread over the nodes of the moment. */
class Traffic {
  readonly #nodes: Turns;
  readonly #shop: Shop;
  readonly #failures: string[] = [];
  readonly #reading: Promise<void>;
  #isStopped = false;

  private constructor(nodes: Turns, shop: Shop) {
    this.#nodes = nodes;
    this.#shop = shop;
    shop.start();
    this.#reading = this.#read();
  }

  static async start(
    { database }: TestDatabase,
    { makeCompany }: Installation,
    node: Program,
  ): Promise<Traffic> {
    const nodes = new Turns([node]);
    const shop = await Shop.open(
      { database, makeCompany },
      {
        url: () => nodes.next(),
        random: new Random(1),
        shoppers: 3,
        pauseMs: 5,
        answerLimitMs: 60_000,
      },
    );
    onTestFinished(() => shop.close());
    return new Traffic(nodes, shop);
  }

  /** Sends every request from now on to these nodes in turns, and waits until each was asked often. */
  async goesTo(...nodes: readonly Program[]): Promise<void> {
    this.#nodes.current = nodes;
    const goals = nodes.map(({ url }) => ({ url, goal: this.#nodes.asked(url) + requestsEnough }));
    await expect
      .poll(() => goals.every(({ url, goal }) => this.#nodes.asked(url) >= goal), patience)
      .toBe(true);
  }

  /** Lets everything come to its end; returns what was not answered as it should be, and what does not add up. */
  async stop(): Promise<readonly string[]> {
    this.#isStopped = true;
    await this.#reading;
    await this.#shop.stop();
    const { charges, transfers } = this.#shop.journal;
    const { findings } = await this.#shop.verify(patience.timeout, "full");
    return [
      ...this.#failures,
      ...[...transfers, ...charges].flatMap((sent) => failuresOf(sent, 400)),
      // A charge may be paid already, or the payer decline: such a refusal is an answer like any other.
      ...charges
        .flatMap(({ payments, refunds }) => [...payments, ...refunds])
        .flatMap((sent) => failuresOf(sent, 500)),
      ...findings,
    ];
  }

  async #read(): Promise<void> {
    const get = (path: string) =>
      this.#shop.client.get(path).catch((error: unknown) => this.#failures.push(String(error)));
    while (!this.#isStopped) {
      for (const list of ["/v1/transactions", "/v1/batches", "/v1/charges"]) {
        const { data = [] } = await get(`${list}?limit=1`);
        for (const { id } of data) await get(`${list}/${id}`);
      }
      for (const path of ["/v1/balance", "/v1/webhooks"]) await get(path);
    }
  }
}

/** Nodes that are asked one after another, and how often each was. */
class Turns {
  current: readonly Program[];
  readonly #asked = new Map<string, number>();
  #turn = 0;

  constructor(nodes: readonly Program[]) {
    this.current = nodes;
  }

  next(): string {
    this.#turn += 1;
    const url = this.current[this.#turn % this.current.length]?.url ?? "";
    this.#asked.set(url, this.asked(url) + 1);
    return url;
  }

  asked(url: string): number {
    return this.#asked.get(url) ?? 0;
  }
}

/** Answers with this status or a higher one, and requests without an answer. */
function failuresOf({ call, outcomes }: Sent, statusMin: number): string[] {
  return outcomes
    .filter(
      (outcome) =>
        outcome.kind === "unknown" ||
        (outcome.kind === "refused" && (outcome.status === 0 || outcome.status >= statusMin)),
    )
    .map((outcome) => `${call.path}: ${JSON.stringify(outcome)}`);
}

async function tablesOf({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`);
  return rows.map(({ name }) => name);
}

async function functionsWithout({ database }: TestDatabase, comment: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
      and position(${comment} in prosrc) = 0`);
  return rows.map(({ name }) => name);
}
