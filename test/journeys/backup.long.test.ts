import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { chargeRequest } from "../charges.ts";
import { makeCompany, makeDatabase, test } from "../fixtures.ts";
import { passTriggers } from "../past-triggers.ts";
import { call, demoToken, makeEmptyDataDir, runCommand, startProcess } from "../process.ts";
import { patience, startReceiver } from "../receiver.ts";

// Each command is a process, and so is each service.

const quiet = { LOG_LEVEL: "warn" };
const requestsEnough = 60;
const topics = ["transactions/completed", "charge/events"];

test("a backup under traffic, restored elsewhere: the books are in order, and whatever was acknowledged before its moment is there", async () => {
  const dataDir = await makeEmptyDataDir();
  const service = await startProcess(dataDir, quiet);
  const token = await demoToken(dataDir);
  const receiver = await startReceiver();
  for (const topic of topics)
    await expectStatus(201, call(service.url, token, "/v1/webhooks", { topic, url: receiver.url }));
  const traffic = new Traffic(service.url, token);
  await traffic.reaches(requestsEnough);

  const path = join(dirname(dataDir), "cauri.backup");
  const backup = await json(dataDir, "backup", path);
  await traffic.reaches(traffic.acknowledged.length + requestsEnough / 2);
  await traffic.stop();

  const before = traffic.acknowledged.filter(({ at }) => at < Date.parse(backup.moment));
  expect(before.length).toBeGreaterThanOrEqual(requestsEnough);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const archived = await readFile(path);
  const { secretKey } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  const masterKey = Buffer.from(await readFile(join(dataDir, "master.key"), "utf8"), "base64");
  const secrets = [
    masterKey,
    ...(["base64", "base64url", "hex"] as const).map((form) => masterKey.toString(form)),
    `\\x${masterKey.toString("hex")}`,
    secretKey,
    token,
  ];
  for (const secret of secrets)
    for (const bytes of [archived, gunzipSync(archived)])
      expect(bytes.includes(secret)).toBe(false);

  expect((await failing(dataDir, "backup", path)).code).toBe("archive_exists");
  expect((await failing(dataDir, "backup", join(dataDir, "none", "x"))).code).toBe(
    "folder_missing",
  );
  // As on a disk that is full: no file may have more than 4 KB.
  const small = "ulimit -f 8";
  const cut = await runCommand(dataDir, ["backup", `${path}.2`, "--json"], {}, undefined, small);
  expect([cut.code, JSON.parse(cut.stderr).error.code]).toEqual([1, "no_room"]);
  expect(existsSync(`${path}.2.partial`)).toBe(false);
  const keys = join(dirname(dataDir), "cauri-ledger.json");
  const published = await fetch(`${service.url}/.well-known/cauri-ledger.json`);
  await writeFile(keys, await published.text());
  expect(await service.end("SIGTERM")).toBe(0);

  const there = await makeEmptyDataDir();
  expect((await failing(there, "restore", path)).code).toBe("archive_needs_master_key");
  expect(existsSync(there)).toBe(false);
  await mkdir(there, { mode: 0o700 });
  await copyFile(join(dataDir, "master.key"), join(there, "master.key"));
  expect(await json(there, "restore", path)).toMatchObject({
    moment: backup.moment,
    rows: backup.rows,
    clean: true,
  });
  expect((await failing(there, "restore", path)).code).toBe("database_not_empty");
  const again = join(dirname(there), "again.backup");
  await json(there, "backup", again);
  expect(await rowsOf(again)).toEqual(await rowsOf(path));
  expect(await json(there, "audit")).toMatchObject({ clean: true });

  const restored = await startProcess(there, quiet);
  for (const { what, id } of before)
    await expectStatus(200, call(restored.url, token, `${what}/${id}`));
  const sent = await call(restored.url, token, "/v1/transactions", transfer("after the restore"));
  const transfers = before.filter(({ what }) => what === "/v1/transactions");
  for (const { id } of [...transfers, { id: sent.body.id }])
    await expect
      .poll(
        async () => (await call(restored.url, token, `/v1/transactions/${id}`)).body.status,
        patience,
      )
      .toBe("completed");

  const [{ companyId }] = await json(there, "company", "list");
  const statement = join(dirname(there), "statement.csv");
  const exported = ["statement", "export", companyId, "--format", "csv", "--output", statement];
  const { closingBalance } = await json(there, ...exported);
  expect((await call(restored.url, token, "/v1/balance")).body.balance).toBe(closingBalance);
  expect(await json(there, "verify", statement, "--key", keys)).toMatchObject({ verified: true });

  // Both services have told of what had ended by then: a receiver knows the second time by the id.
  const told = () => receiver.received.filter(({ raw }) => raw.includes(sent.body.id));
  await expect.poll(() => told().length, patience).toBeGreaterThan(0);
  // What the first service ended after the moment, the other one has ended anew, and tells under an id of its own.
  const surely = Date.parse(backup.moment) - 500;
  const notifications = transfers
    .map(({ id }) => receiver.received.filter(({ raw }) => raw.includes(id)))
    .filter((of) => of.some(({ atMs }) => atMs < surely));
  expect(notifications.length).toBeGreaterThan(0);
  for (const of of notifications)
    expect(new Set(of.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await restored.end("SIGTERM")).toBe(0);
});

test("books that are not in order are not restored, and what is left of them is opened by nobody", async ({
  db,
}) => {
  const dataDir = await makeEmptyDataDir();
  await mkdir(dataDir);
  const path = join(dataDir, "cauri.backup");
  await makeCompany(db.database);
  await db.database.transaction(async (tx) => {
    await passTriggers(tx);
    await tx.query(sql`update postings set amount = amount + 1`);
  });
  await json(dataDir, { DATABASE_URL: db.url }, "backup", path);
  const made = await makeDatabase("template0");
  onTestFinished(() => made.drop());

  const lost = { DATABASE_URL: made.url };
  const refused = await failing(dataDir, lost, "restore", path, "--without-master-key");
  expect(refused.code).toBe("restored_books_wrong");
  expect(refused.message).toContain("expected");
  for (const command of [["serve"], ["company", "list"], ["audit"]])
    expect((await failing(dataDir, lost, ...command)).code).toBe("unfinished_restore");

  const embedded = await failing(dataDir, "restore", path, "--without-master-key");
  expect(embedded.code).toBe("restored_books_wrong");
  expect(existsSync(join(dataDir, "postgres"))).toBe(false);
});

interface Acknowledged {
  readonly what: string;
  readonly id: string;
  readonly at: number;
}

/** Transfers, batches and charges, one after the other in each of a few lines, until it is stopped. */
class Traffic {
  readonly acknowledged: Acknowledged[] = [];
  readonly #refused: string[] = [];
  readonly #lines: Promise<void>[];
  #count = 0;
  #isStopped = false;

  constructor(url: string, token: string) {
    this.#lines = Array.from({ length: 4 }, () => this.#run(url, token));
  }

  async reaches(count: number): Promise<void> {
    const isThere = () => this.#refused.length > 0 || this.acknowledged.length >= count;
    await expect.poll(isThere, { timeout: 120_000, interval: 10 }).toBe(true);
    expect(this.#refused).toEqual([]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lines);
    expect(this.#refused).toEqual([]);
  }

  async #run(url: string, token: string): Promise<void> {
    while (!this.#isStopped) {
      this.#count += 1;
      const [path, body] = requestOf(this.#count);
      const { status, body: made } = await call(url, token, path, body);
      if (status !== 201) this.#refused.push(JSON.stringify(made));
      const what = path === batchPath ? "/v1/batches" : path;
      this.acknowledged.push({ what, id: made.id, at: Date.now() });
    }
  }
}

const batchPath = "/v1/transactions/batch";

function requestOf(count: number): readonly [string, object] {
  if (count % 5 === 0) return ["/v1/charges", { ...chargeRequest, externalId: `order ${count}` }];
  if (count % 7 === 0)
    return [batchPath, { transactions: [transfer(`${count} a`), transfer(`${count} b`)] }];
  return ["/v1/transactions", transfer(`salary ${count}`)];
}

function transfer(reference: string) {
  return { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
}

/** The rows of each table, in an order of their own. */
async function rowsOf(path: string): Promise<string[]> {
  const [, ...lines] = gunzipSync(await readFile(path))
    .toString()
    .split("\n");
  return lines.filter((line) => !line.startsWith('{"sums"')).toSorted();
}

type Arguments = [Record<string, string>, ...string[]] | string[];

async function run(dataDir: string, args: Arguments) {
  const [first, ...others] = args;
  return typeof first === "object"
    ? runCommand(dataDir, [...(others as string[]), "--json"], first)
    : runCommand(dataDir, [...(args as string[]), "--json"]);
}

async function json(dataDir: string, ...args: Arguments) {
  const { code, stdout, stderr } = await run(dataDir, args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

async function failing(dataDir: string, ...args: Arguments) {
  const { code, stdout, stderr } = await run(dataDir, args);
  // A service logs that it starts, whatever becomes of that.
  const answered = stdout.split("\n").filter((line) => !line.includes('"msg":"Cauri starts"'));
  expect([code, answered.join("\n")], stderr).toEqual([1, ""]);
  // Above it, on a machine that takes longer than a few seconds, how far it was.
  return JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
}

async function expectStatus(status: number, reply: ReturnType<typeof call>): Promise<void> {
  const { status: found, body } = await reply;
  expect(found, JSON.stringify(body)).toBe(status);
}
