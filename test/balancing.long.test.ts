import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished } from "vitest";
import { createCompany } from "../src/companies/create-company.ts";
import { sql } from "../src/database/sql.ts";
import { secretBox } from "../src/kernel/secret-box.ts";
import { TcpProxy } from "../torture/network/tcp-proxy.ts";
import { Program } from "../torture/program.ts";
import { auditDifferences, type TestDatabase, test } from "./fixtures.ts";
import { makeEmptyDataDir } from "./process.ts";
import { ensureProxies, startProxy } from "./proxies.ts";
import { patience } from "./receiver.ts";

const callers = 8;
const pauseMs = 20;
/** Of all callers together: each of them has met the node several times. */
const enough = 60;

const masterKey = Buffer.alloc(32, 7);
const settings = {
  EVENT_LOOP_DELAY_MAX_MS: "0",
  LOG_LEVEL: "fatal",
  MASTER_KEY: masterKey.toString("base64"),
};

beforeAll(ensureProxies, 600_000);

async function makeToken({ database }: TestDatabase): Promise<string> {
  const company = { name: "Teranga Textile", fund: 1_000_000_000 };
  return (await createCompany(database, secretBox(masterKey), company)).key.accessToken;
}

const lost = { status: 0, code: "outcome_unknown" };

interface Answer {
  readonly reference: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly tookMs: number;
}

/** Two real nodes on one database; the way of the first one to it can be cut. */
async function startNodes({ url }: TestDatabase) {
  const way = await TcpProxy.before(url);
  const nodes = await Promise.all(
    [way.rewrite(url), url].map(async (own) => {
      const node = new Program(await makeEmptyDataDir(), { ...settings, DATABASE_URL: own });
      onTestFinished(() => void node.process.kill("SIGKILL"));
      return node.ready();
    }),
  );
  onTestFinished(() => way.close());
  return { way, nodes, urls: nodes.map((node) => new URL(node.url)) };
}

/** Callers who send one transfer after the other until they are told to stop, and keep what they were answered. */
class Callers {
  readonly answers: Answer[] = [];
  readonly #url: string;
  readonly #token: string;
  readonly #work: Promise<void>[];
  #sent = 0;
  #isOver = false;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
    this.#work = Array.from({ length: callers }, () => this.#call());
  }

  get acknowledged(): number {
    return this.answers.filter(({ status }) => status === 201).length;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#work);
  }

  async #call(): Promise<void> {
    while (!this.#isOver) {
      this.#sent += 1;
      this.answers.push(await this.send(`r-${this.#sent}`));
      await sleep(pauseMs);
    }
  }

  /** A connection that ends without an answer says as little as outcome_unknown, and is taken for it. */
  async send(reference: string): Promise<Answer> {
    const beganMs = performance.now();
    const { status, code } = await this.#post(reference).catch(() => lost);
    return { reference, status, code, tookMs: performance.now() - beganMs };
  }

  async #post(reference: string) {
    const response = await fetch(`${this.#url}/v1/transactions`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "transfer", amount: 5_000, msisdn: "2250700000000", reference }),
    });
    return { status: response.status, code: ((await response.json()) as { code?: string }).code };
  }
}

async function startTwo(db: TestDatabase, proxyName: "haproxy" | "caddy") {
  const token = await makeToken(db);
  const { way, nodes, urls } = await startNodes(db);
  const proxy = await startProxy(proxyName, ...urls);
  const pause = (place: number) => nodes[place]?.process.kill("SIGSTOP");
  const resume = (place: number) => nodes[place]?.process.kill("SIGCONT");
  const people = new Callers(proxy.url, token);
  const untilMore = async () => {
    const before = people.acknowledged;
    await expect.poll(() => people.acknowledged - before, patience).toBeGreaterThan(enough);
  };
  return { way, people, pause, resume, untilMore };
}

/** No answer was a lie: what was acknowledged is there, what was refused is not, and the rest can be sent again. */
async function expectTruth(db: TestDatabase, people: Callers): Promise<void> {
  for (const { reference, code } of people.answers)
    if (code === "outcome_unknown") {
      const { status, code: again } = await people.send(reference);
      expect([201, 409], `${reference}: ${status} ${again}`).toContain(status);
    }
  const rows = await db.database.query<{ reference: string }>(sql`select reference from transfers`);
  const there = new Set(rows.map(({ reference }) => reference));
  for (const { reference, status, code } of people.answers)
    expect(there.has(reference), `${reference}: ${status} ${code}`).toBe(
      status === 201 || code === "outcome_unknown",
    );
  expect(await auditDifferences(db.database)).toEqual([]);
}

const longestOf = (answers: readonly Answer[]) =>
  Math.round(Math.max(0, ...answers.map(({ tookMs }) => tookMs)));

test("HAProxy: who waits for a node that hangs is let go while it hangs, and everybody else is served", async ({
  db,
}) => {
  const { way, people, pause, resume, untilMore } = await startTwo(db, "haproxy");
  await untilMore();
  const before = people.answers.length;
  pause(1);
  // All callers go on although nothing wakes the node.
  await untilMore();
  await untilMore();
  const caught = people.answers.slice(before).filter(({ status }) => status !== 201);
  expect(caught.map(({ code }) => code)).toContain("outcome_unknown");
  const hung = longestOf(people.answers.slice(before));
  resume(1);
  await untilMore();

  const atCut = people.answers.length;
  way.isAway = true;
  way.cut();
  await expect
    .poll(() => new Set(people.answers.slice(-enough).map(({ code }) => code)), patience)
    .not.toContain("database_unavailable");
  const refused = people.answers.slice(atCut).filter(({ status }) => status !== 201);
  const cut = longestOf(people.answers.slice(atCut));
  await people.stop();
  way.isAway = false;
  await expectTruth(db, people);
  console.info(
    `HAProxy, longest answer: ${hung} ms with a node that hangs (${caught.length} outcome_unknown), ${cut} ms with one cut from its database (${refused.length} refused)`,
  );
});

test("Caddy: a node that hangs gets nothing more", async ({ db }) => {
  const { people, pause, resume, untilMore } = await startTwo(db, "caddy");
  await untilMore();
  pause(1);
  // All who are caught there wait. As soon as Caddy has noticed nobody follows them.
  await sleep(2_000);
  const later: Answer[] = [];
  const lastStatuses = async () => {
    later.push(await people.send(`later-${later.length}`));
    return later.slice(-callers).map(({ status }) => status);
  };
  await expect.poll(lastStatuses, patience).toEqual(Array.from({ length: callers }, () => 201));
  resume(1);
  await people.stop();
  people.answers.push(...later);
  await expectTruth(db, people);
});

test("no node is ready: HAProxy lets a node say why, and goes on when one is", async ({ db }) => {
  const token = await makeToken(db);
  const way = await TcpProxy.before(db.url);
  onTestFinished(() => way.close());
  const own = { ...settings, DATABASE_URL: way.rewrite(db.url) };
  const node = new Program(await makeEmptyDataDir(), own);
  onTestFinished(() => void node.process.kill("SIGKILL"));
  await node.ready();
  const proxy = await startProxy("haproxy", new URL(node.url));
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${proxy.url}/v1/balance`, { headers });
    return ((await response.json()) as { code?: string }).code ?? response.status;
  };
  expect(await ask()).toBe(200);
  way.isAway = true;
  way.cut();
  const ready = async () => (await fetch(`${node.url}/readyz`)).status;
  await expect.poll(ready, patience).toBe(503);
  // Long enough for HAProxy to know it; whether it does or not, the answer is the node's own.
  await sleep(2_000);
  expect(await ask()).toBe("database_unavailable");
  way.isAway = false;
  await expect.poll(ask, patience).toBe(200);
});
