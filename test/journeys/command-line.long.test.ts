import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { describeSchema } from "../../src/database/describe-schema.ts";
import { chargeRequest } from "../charges.ts";
import { makeDatabase, test } from "../fixtures.ts";
import {
  call,
  makeDataDir,
  makeEmptyDataDir,
  postmasterPid,
  runCommand,
  startProcess,
} from "../process.ts";

// Each command is a process, and several of them start a PostgreSQL.

test("the command line works on its own folder without a service, and leaves nothing running", async () => {
  const dataDir = await makeEmptyDataDir();
  const run = async (...args: string[]) => {
    const result = await runCommand(dataDir, [...args, "--json"]);
    expect(result.code, `${args.join(" ")}: ${result.stderr}`).toBe(0);
    expect(result.stdout.trim().split("\n")).toHaveLength(1);
    return JSON.parse(result.stdout);
  };

  const { migrations } = await run("migrate");
  expect(migrations).toContain("0001_companies.sql");
  expect(await postmasterPid(dataDir)).toBeUndefined();
  const made = await run(
    "company",
    "create",
    "Boutique Awa",
    "--fund",
    "1000000",
    "--transfer-fee-rate",
    "0.01",
    "--transfer-fee-max",
    "2000",
  );
  expect(Object.keys(made)).toEqual(["companyId", "name", "accessToken", "secretKey", "balance"]);
  expect(made).toMatchObject({ name: "Boutique Awa", balance: 1_000_000 });
  expect(made.accessToken).toMatch(/^at_[\w-]{43}$/);
  expect(made.secretKey).toMatch(/^sk_[\w-]{43}$/);
  expect(await postmasterPid(dataDir)).toBeUndefined();

  expect(await run("company", "fund", made.companyId, "500000")).toMatchObject({
    funded: 500_000,
    balance: 1_500_000,
  });
  const funding = ["company", "fund", made.companyId, "250000", "--reference", "bank 17"];
  expect(await run(...funding)).toMatchObject({ balance: 1_750_000, replayed: false });
  expect(await run(...funding)).toMatchObject({ balance: 1_750_000, replayed: true });
  expect(
    await run("company", "set", made.companyId, "--country", "NE", "--name", "Boutique Awa"),
  ).toEqual({
    companyId: made.companyId,
    name: "Boutique Awa",
    country: "NE",
    timeZone: "Africa/Niamey",
    aloneMax: 0,
    keysAloneMax: null,
    price: {
      number: 1,
      transferFee: { rate: 0.01, flat: 0, min: 0, max: 2_000 },
      transferAmount: { min: 5_000, max: 500_000 },
      chargeFee: { rate: 0 },
      chargeAmount: { min: 1, max: 200_000_000 },
    },
  });
  for (const wrong of [
    ["--country", "FR"],
    ["--time-zone", "Niamey"],
    ["--keys-alone-max", "none"],
  ])
    expect((await runCommand(dataDir, ["company", "set", made.companyId, ...wrong])).code).not.toBe(
      0,
    );
  expect(await run("company", "list")).toMatchObject([
    { companyId: made.companyId, balance: 1_750_000, isFrozen: false },
  ]);
  const asked = await runCommand(dataDir, ["company", "freeze", made.companyId]);
  expect([asked.code, asked.stdout]).toEqual([1, ""]);
  expect(asked.stderr).toContain("Nothing was done: there is nobody to ask. With --yes");
  expect(await run("company", "freeze", made.companyId, "--yes")).toMatchObject({ frozen: true });
  expect(await run("company", "list")).toMatchObject([{ isFrozen: true }]);
  expect(await run("company", "unfreeze", made.companyId, "--yes")).toMatchObject({
    frozen: false,
    changed: true,
  });
  expect(
    await run(
      "customer",
      "add",
      "+2250711111111",
      "--first-name",
      "Awa",
      "--last-name",
      "Diop",
      "--kyc",
      "pending",
    ),
  ).toMatchObject({
    msisdn: "2250711111111",
    kycStatus: "pending",
  });
  expect(
    await run("customer", "set", "2250711111111", "--kyc", "complete", "--limit", "300000"),
  ).toMatchObject({
    firstName: "Awa",
    kycStatus: "complete",
    balanceMax: 300_000,
  });
  expect(await run("customer", "freeze", "2250711111111", "--yes")).toMatchObject({
    changed: true,
  });
  expect(await run("customer", "list")).toMatchObject([
    { msisdn: "2250711111111", balance: 0, isFrozen: true },
  ]);
  const trail = await run("trail", "--limit", "3");
  expect(trail).toMatchObject([
    {
      action: "customer.frozen",
      via: "customer freeze",
      who: expect.stringMatching(/^operator ./),
    },
    { action: "customer.changed", changes: { kycStatus: { from: "pending", to: "complete" } } },
    { action: "customer.added" },
  ]);
  const older = ["--before", trail[2].id, "--company", made.companyId, "--since", "1h"];
  expect((await run("trail", ...older)).map(({ action }: { action: string }) => action)).toEqual([
    "company.unfrozen",
    "company.frozen",
    "company.changed",
    "company.funded",
    "company.funded",
    "company.created",
  ]);
  expect(await run("migrate")).toEqual({ migrations: [], functions: [] });
  expect(await run("audit")).toMatchObject({ clean: true });
});

test("the command line joins a running service: keys are rotated and revoked under it", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  const json = async (...args: string[]) =>
    JSON.parse((await runCommand(dataDir, [...args, "--json"])).stdout);

  const agreed = ["--charge-fee-rate", "0.02", "--charge-min", "500", "--charge-max", "9000"];
  const made = await json("company", "create", "Second", ...agreed);
  expect((await call(service.url, made.accessToken, "/v1/balance")).body).toEqual({
    balance: 0,
    currency: "XOF",
  });
  const charge = (amount: number) =>
    call(service.url, made.accessToken, "/v1/charges", { ...chargeRequest, amount });
  expect((await charge(9_000)).body["fees"]).toEqual({ currency: "XOF", rate: 0.02, value: 180 });
  expect([(await charge(499)).status, (await charge(9_001)).status]).toEqual([400, 400]);
  const rotated = await json("key", "rotate", made.companyId, "--overlap", "1h");
  expect((await call(service.url, made.accessToken, "/v1/balance")).status).toBe(200);
  expect((await call(service.url, rotated.accessToken, "/v1/balance")).status).toBe(200);

  const [first] = await json("key", "list", made.companyId);
  expect(Object.keys(first)).toEqual(
    ["keyId", "createdAt", "expiresAt", "revokedAt"].concat("name", "lastUsedAt"),
  );
  expect(await json("key", "revoke", first.keyId)).toEqual({ keyId: first.keyId, revoked: true });
  expect((await call(service.url, made.accessToken, "/v1/balance")).status).toBe(401);
  expect((await call(service.url, rotated.accessToken, "/v1/balance")).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("a command without a database says so and makes none", async () => {
  const dataDir = await makeEmptyDataDir();

  const { code, stderr, stdout } = await runCommand(dataDir, ["company", "list", "--json"]);

  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`There is no database in ${dataDir}`);
  expect(stderr).toContain("`cauri migrate`");
  expect(existsSync(dataDir)).toBe(false);
});

test("only migrate and serve change the schema: another command says what to do", async () => {
  const db = await makeDatabase("template0");
  onTestFinished(() => db.drop());
  const dataDir = await makeDataDir();
  const run = (...args: string[]) => runCommand(dataDir, args, { DATABASE_URL: db.url });

  const refused = await run("company", "list");
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toMatch(/^The database lacks the migration 0001_.*Run `cauri migrate`/);
  expect(await describeSchema(db.database)).not.toContain("create table");

  const { code, stdout } = await run("migrate");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Applied 0001_\w+\.sql\.\nApplied /)]);
  expect(stdout).toMatch(/\nThe database schema is up to date\.\n$/);
  expect((await run("company", "list")).code).toBe(0);
});

test("bad arguments are told plainly, change nothing and exit with 1", async ({ db }) => {
  const dataDir = await makeDataDir();
  const environment = { DATABASE_URL: db.url };
  const unknown = `com_${"0".repeat(32)}`;
  for (const [args, message] of [
    [["company", "create", ""], "1 to 100 characters"],
    [["company", "fund", unknown, "5", "--reference", "--yes"], "argument missing before --yes"],
    [["verify", "/no/such/file"], "is not a file that can be read"],
    [["company", "create", "X", "--fund", "12.5"], "whole francs"],
    [["company", "create", "X", "--transfer-fee-rate", "1.5"], "share"],
    [["company", "create", "X", "--charge-fee-rate", "1"], "share"],
    [["company", "create", "X", "--charge-max", "1000000001"], "at most 1000000000"],
    [["company", "create", "X", "--transfer-max", "1000000001"], "at most 1000000000"],
    [["company", "create", "X", "--transfer-fee-flat", "1000000001"], "at most 1000000000"],
    [["company", "create", "X", "--fund", "9007199254740992"], "at most 9007199254740991"],
    [["company", "create", "X", "--transfer-max", "4999"], "give --transfer-min"],
    [["company", "create", "X", "--charge-min", "1000000000"], "give --charge-min"],
    [["company", "fund", unknown, "9007199254740992"], "at most 9007199254740991"],
    [["company", "fund", "nonsense", "5"], "company id"],
    [["company", "fund", unknown, "5"], "There is no company"],
    [
      ["customer", "add", "abc", "--first-name", "A", "--last-name", "B", "--kyc", "complete"],
      "8 to 15 digits",
    ],
    [
      [
        "customer",
        "add",
        "2250711111111",
        "--first-name",
        "A",
        "--last-name",
        "B",
        "--kyc",
        "perfect",
      ],
      "Allowed choices",
    ],
    [["key", "revoke", `key_${"0".repeat(32)}`], "There is no key"],
    [["nonsense"], "unknown command"],
  ] as const) {
    const { code, stderr, stdout } = await runCommand(dataDir, args, environment);
    expect(code, args.join(" ")).toBe(1);
    expect(stderr, args.join(" ")).toContain(message);
    expect(stdout).toBe("");
  }
  expect((await runCommand(dataDir, ["company", "create", "--help"])).stdout).toContain(
    "--transfer-fee-rate",
  );
});

test("audit exits with 1 and names the difference when a balance was tampered with", async () => {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, { LOG_LEVEL: "warn" });
  await runCommand(dataDir, ["company", "create", "Tampered", "--fund", "1000"]);
  await tamper(dataDir);

  const { code, stdout } = await runCommand(dataDir, ["audit"]);
  expect(code).toBe(1);
  expect(stdout).toContain("THE BOOKS ARE NOT IN ORDER");
  expect(stdout).toMatch(/account available of company \S+: expected 1000, found 1001/);
  await service.end("SIGTERM");
});

/** Writes past the ledger, as only somebody with the database's own password could. */
async function tamper(dataDir: string): Promise<void> {
  const read = async (name: string) => (await readFile(`${dataDir}/${name}`, "utf8")).trim();
  const client = new pg.Client({
    host: "127.0.0.1",
    port: Number(await read("postgres.port")),
    user: "cauri",
    database: "cauri",
    password: await read("postgres.password"),
  });
  await client.connect();
  await client.query("update books set available = available + 1, external = external - 1");
  await client.end();
}
