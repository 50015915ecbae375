import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { sql } from "../../src/database/sql.ts";
import { lossesSetting } from "../../src/kernel/durability-names.ts";
import { chargeRequest } from "../charges.ts";
import { productionSettings, test } from "../fixtures.ts";
import {
  call,
  demoToken,
  makeDataDir,
  makeEmptyDataDir,
  runCommand,
  startProcess,
} from "../process.ts";
import { patience, type Receiver, startReceiver } from "../receiver.ts";

// Each command is a process, and so is each node.

const quiet = { LOG_LEVEL: "warn" };

test("a lost master key costs the signing secrets and nothing else, the way that the message says", async () => {
  const dataDir = await makeDataDir();
  const keyFile = join(dataDir, "master.key");
  const receiver = await startReceiver();
  const run = (...args: string[]) => runCommand(dataDir, args);
  const first = await startProcess(dataDir, quiet);
  const token = await demoToken(dataDir);
  await tellOf(first.url, token, receiver.url);
  await payOut(first.url, token, "before");
  const { secretKey: oldSecret } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  expect(await signedWith(receiver, "before", oldSecret)).toBe(true);
  const { body: balance } = await call(first.url, token, "/v1/balance");
  expect(await first.end("SIGTERM")).toBe(0);

  await rm(keyFile);
  const [company] = JSON.parse((await run("company", "list", "--json")).stdout);
  for (const args of [
    ["serve"],
    ["company", "create", "X"],
    ["key", "rotate", company.companyId],
    ["master-key", "rotate"],
    ["master-key", "check"],
  ]) {
    const { code, stderr } = await run(...args);
    expect([args, code]).toEqual([args, 1]);
    expect(stderr).toContain(
      `1 signing secret of 1 company cannot be opened: Demo (${company.companyId})`,
    );
    expect(stderr).toContain(keyFile);
    expect(stderr).toContain("`cauri master-key replace`");
    expect(stderr).not.toMatch(/\n {4}at /);
  }
  expect(existsSync(keyFile)).toBe(false);

  const preview = await run("master-key", "replace");
  expect([preview.code, preview.stdout]).toEqual([1, expect.stringContaining("--yes")]);
  expect(existsSync(keyFile)).toBe(false);
  const replaced = JSON.parse((await run("master-key", "replace", "--yes", "--json")).stdout);
  expect(replaced).toEqual([
    {
      companyId: company.companyId,
      name: "Demo",
      keyId: expect.stringMatching(/^key_/),
      secretKey: expect.stringMatching(/^sk_[\w-]{43}$/),
    },
  ]);
  // Its output was lost with the terminal, say.
  expect(JSON.parse((await run("master-key", "replace", "--yes", "--json")).stdout)).toEqual(
    replaced,
  );
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);

  const second = await startProcess(dataDir, quiet);
  expect((await call(second.url, token, "/v1/balance")).body).toEqual(balance);
  await payOut(second.url, token, "after");
  expect(await signedWith(receiver, "after", replaced[0].secretKey)).toBe(true);
  expect((await run("master-key", "check")).code).toBe(0);
  // Nothing that is left can say whose the key from before is: it counts when a person has said so.
  expect((await run("audit")).code).toBe(1);
  const listed = await run("ledger-key", "list", "--json");
  expect(listed.code).toBe(1);
  const keys = JSON.parse(listed.stdout) as { id: string; isBound: boolean; signs: boolean }[];
  expect(keys).toMatchObject([
    { isBound: false, signs: false },
    { isBound: true, signs: true },
  ]);
  expect((await run("seal")).stderr).toContain(keys[0]?.id);
  expect((await run("ledger-key", "bind", keys[0]?.id ?? "", "--yes")).code).toBe(0);
  expect((await run("ledger-key", "list")).code).toBe(0);
  expect(JSON.parse((await run("audit", "--json")).stdout)).toMatchObject({ clean: true });
  const trail = JSON.parse((await run("trail", "--json")).stdout) as { action: string }[];
  expect(
    trail.map(({ action }) => action).filter((action) => action.startsWith("ledger_key")),
  ).toEqual(["ledger_key.bound", "ledger_key.created", "ledger_key.created"]);
  expect(await second.end("SIGTERM")).toBe(0);
});

test("the master key is changed under a running service: secrets, tokens and payment links stay good, and so does the service", async () => {
  const dataDir = await makeDataDir();
  const receiver = await startReceiver();
  const service = await startProcess(dataDir, quiet);
  const token = await demoToken(dataDir);
  const { secretKey } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  await tellOf(service.url, token, receiver.url);
  const charge = await call(service.url, token, "/v1/charges", chargeRequest);
  const { pathname } = new URL(charge.body.paymentUrl);

  const rotated = await runCommand(dataDir, ["master-key", "rotate", "--json"]);
  expect(rotated.code, rotated.stderr).toBe(0);
  expect(JSON.parse(rotated.stdout)).toMatchObject({ resealed: 1 });

  await payOut(service.url, token, "meanwhile");
  expect(await signedWith(receiver, "meanwhile", secretKey)).toBe(true);
  const made = await runCommand(dataDir, ["company", "create", "New", "--json"]);
  const { accessToken } = JSON.parse(made.stdout);
  expect((await call(service.url, accessToken, "/v1/balance")).status).toBe(200);
  expect((await fetch(service.url + pathname)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);

  const again = await startProcess(dataDir, quiet);
  expect((await fetch(again.url + pathname)).status).toBe(200);
  await payOut(again.url, token, "later");
  expect(await signedWith(receiver, "later", secretKey)).toBe(true);
  expect(await again.end("SIGTERM")).toBe(0);
});

test("keys in settings: nodes learn the new one by a restart each, the command changes over, then the old one goes", async ({
  db,
}) => {
  const dataDir = await makeDataDir();
  const receiver = await startReceiver();
  const [old, next] = [randomBytes(32).toString("base64"), randomBytes(32).toString("hex")];
  const settings = (MASTER_KEY: string) => ({ ...quiet, DATABASE_URL: db.url, MASTER_KEY });
  const begin = await startProcess(dataDir, settings(old));
  const token = await demoToken(dataDir);
  const { secretKey } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  await tellOf(begin.url, token, receiver.url);
  const charge = await call(begin.url, token, "/v1/charges", chargeRequest);
  const { pathname } = new URL(charge.body.paymentUrl);

  const both = await startProcess(dataDir, settings(`${next},${old}`));
  expect(await begin.end("SIGTERM")).toBe(0);
  expect((await runCommand(dataDir, ["master-key", "rotate"], settings(next))).code).toBe(1);
  const rotated = await runCommand(dataDir, ["master-key", "rotate"], settings(`${next},${old}`));
  expect(rotated.code, rotated.stderr).toBe(0);
  await payOut(both.url, token, "both");
  expect(await signedWith(receiver, "both", secretKey)).toBe(true);

  const end = await startProcess(dataDir, settings(next));
  expect(await both.end("SIGTERM")).toBe(0);
  await payOut(end.url, token, "end");
  expect(await signedWith(receiver, "end", secretKey)).toBe(true);
  expect((await fetch(end.url + pathname)).status).toBe(200);
  const refused = await runCommand(dataDir, ["serve"], settings(old));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("does not fit")]);
  // Not even a key file was made beside settings that need none.
  expect(existsSync(join(dataDir, "master.key"))).toBe(false);
  expect(await end.end("SIGTERM")).toBe(0);
});

test("a database is staging or production for ever, for the service and for every command", async ({
  db,
}) => {
  const dataDir = await makeDataDir();
  const staging = {
    ...quiet,
    DATABASE_URL: db.url,
    MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const production = {
    ...productionSettings(db),
    ...staging,
  };
  const service = await startProcess(dataDir, staging);
  for (const args of [["serve"], ["migrate"], ["company", "list"], ["audit"]]) {
    const { code, stderr, stdout } = await runCommand(dataDir, args, production);
    const lines = stdout.split("\n").filter((line) => !line.includes(lossesSetting));
    expect([args, code, lines.join("")]).toEqual([args, 1, ""]);
    expect(stderr).toContain("This database is a staging one, and CAURI_ENV says production.");
  }
  expect(await service.end("SIGTERM")).toBe(0);
  expect(await db.database.query(sql`select environment from installation`)).toEqual([
    { environment: "staging" },
  ]);
});

test("two nodes that start at once on an empty database make one demo company", async ({ db }) => {
  const settings = { ...quiet, DATABASE_URL: db.url, MASTER_KEY: randomBytes(32).toString("hex") };
  const folders = [await makeEmptyDataDir(), await makeEmptyDataDir()];

  const nodes = await Promise.all(folders.map((folder) => startProcess(folder, settings)));

  expect(await db.database.query(sql`select name from companies`)).toEqual([{ name: "Demo" }]);
  for (const node of nodes) expect(await node.end("SIGTERM")).toBe(0);
});

async function tellOf(url: string, token: string, receiver: string): Promise<void> {
  const body = { topic: "transactions/completed", url: receiver };
  expect((await call(url, token, "/v1/webhooks", body)).status).toBe(201);
}

async function payOut(url: string, token: string, reference: string): Promise<void> {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
  expect((await call(url, token, "/v1/transactions", body)).status).toBe(201);
}

/** Whether the notification of a transfer carries this secret's signature. */
async function signedWith(receiver: Receiver, reference: string, secret: string): Promise<boolean> {
  const find = () => receiver.received.find(({ raw }) => raw.includes(`"${reference}"`));
  await expect.poll(() => find() !== undefined, patience).toBe(true);
  const told = find();
  const signature = createHmac("sha256", secret)
    .update(told?.raw ?? "")
    .digest("base64");
  return told?.headers["x-service-hmac-sha256"] === signature;
}
