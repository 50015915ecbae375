import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { createCompany } from "../../src/companies/create-company.ts";
import { sql } from "../../src/database/sql.ts";
import { toPublicId } from "../../src/kernel/ids.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { makeCustomer, type TestDatabase, test } from "../fixtures.ts";
import { makeDataDir, startProcess } from "../process.ts";
import { patience, startReceiver } from "../receiver.ts";
import {
  command,
  type Journey,
  payOnPage,
  type Secrets,
  send,
  untilPaidOut,
  visitWallet,
} from "./journey.ts";
import { storedRows } from "./stored-rows.ts";

const phone = "2250711223344";
const stranger = "2250755667788";
/** A line that a caller would like to see in the log, and what a terminal would make of it. */
const forgery = '\r\n{"level":60,"msg":"forged"}\n\u001b[31mforged\u001b[0m\u0007\u2028';

test("all output of a whole journey at the finest level holds no secret, no phone number and no line that a caller wrote; nor does the database hold a secret", async ({
  db,
}) => {
  const masterKey = randomBytes(32);
  const gatewayToken = randomBytes(24).toString("base64url");
  const gateway = await startReceiver();
  const shop = await startReceiver();
  const secrets: Secrets = new Map([
    ["master key", masterKey.toString("base64")],
    ["master key, hexadecimal", masterKey.toString("hex")],
    ["database password", decodeURIComponent(new URL(db.url).password)],
    ["gateway token", gatewayToken],
    ["phone", phone],
    ["phone, as dialled at home", phone.slice(3)],
    ["stranger's phone", stranger],
  ]);
  const journey: Journey = {
    dataDir: await makeDataDir(),
    environment: {
      DATABASE_URL: db.url,
      MASTER_KEY: masterKey.toString("base64"),
      SMS_GATEWAY_URL: gateway.url,
      SMS_GATEWAY_TOKEN: gatewayToken,
      LOG_LEVEL: "trace",
    },
    gateway,
    shop,
    secrets,
    said: "",
  };
  const keep = (name: string, key: { accessToken: string; secretKey: string }) => {
    secrets.set(`${name} token`, key.accessToken);
    secrets.set(`${name} secret key`, key.secretKey);
    return key.accessToken;
  };

  const made = await createCompany(db.database, secretBox(masterKey), {
    name: "Shop",
    fund: 1_000_000,
  });
  const first = keep("first", made.key);
  await makeCustomer(db.database, phone);
  const service = await startProcess(journey.dataDir, journey.environment);
  const { url } = service;

  for (const topic of ["transactions/completed", "transactions/failed", "charge/events"])
    expect(
      (await send(url, "POST", "/v1/webhooks", { token: first, body: { topic, url: shop.url } }))
        .status,
    ).toBe(201);
  const companyId = toPublicId("com", made.company.id);
  const token = keep("second", await command(journey, "key", "rotate", companyId));
  await payOut(url, first, phone);
  await payOut(url, token, stranger);
  await untilPaidOut(url, token);
  await payOnPage(journey, url, token, phone);
  await visitWallet(journey, url, phone);
  await command(journey, "key", "revoke", toPublicId("key", made.key.keyId));
  await expect
    .poll(async () => (await send(url, "GET", "/v1/balance", { token: first })).status, patience)
    .toBe(401);
  await forge(url, token);
  await breakTheDatabase(db, url, token);

  expect(await service.end("SIGTERM")).toBe(0);
  const output = service.output + journey.said;
  const lines = service.output.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(40);

  expect(secretsIn(output, secrets)).toEqual([]);
  const stored = (await storedRows(db.database)).join("\n");
  expect(secretsIn(stored, secrets).filter((one) => !one.includes("phone"))).toEqual([]);
  expect(lines.map(messageOf).filter((message) => message.includes("forged"))).toEqual([]);
  expect(output).toContain('"msg":"request failed"');
  expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/u);
  // Beside the one line that says where it listens there is nothing but JSON.
  const others = service.output.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect(others).toEqual([`Cauri is ready at ${url}  (staging)`]);
});

async function payOut(url: string, token: string, msisdn: string): Promise<void> {
  const row = { amount: 20_000, msisdn: `+${msisdn}`, description: msisdn };
  const single = { type: "transfer", ...row, reference: `single-${msisdn.slice(-3)}` };
  const transactions = [{ ...row, reference: `batch-${msisdn.slice(-3)}` }];
  for (const [path, body] of [
    ["/v1/transactions", single],
    ["/v1/transactions/batch", { transactions }],
  ] as const)
    expect((await send(url, "POST", path, { token, body })).status).toBe(201);
  // Refused in every way, each of which could be worth a line to somebody.
  await send(url, "POST", "/v1/transactions", { token, body: single });
  await send(url, "POST", "/v1/transactions", { token, body: { ...single, msisdn: `x${msisdn}` } });
  await send(url, "POST", "/v1/transactions", { token: `${token}x`, body: single });
  await send(url, "GET", `/v1/transactions/customers/check?msisdn=${msisdn}`, { token });
  await send(url, "GET", `/v1/transactions?msisdn=${msisdn}&cursor=x`, { token });
  await send(url, "GET", `/v1/transactions/${msisdn}?access_token=${token}`, { token });
  await send(url, "GET", `/nothing/${token}/${msisdn}`);
}

/** Words that would be lines of their own, in every place that a caller fills. */
async function forge(url: string, token: string): Promise<void> {
  const encoded = encodeURIComponent(forgery);
  const row = { type: "transfer", amount: 5_000, msisdn: stranger };
  const words = { reference: forgery, description: forgery, metadata: { [forgery]: forgery } };
  await send(url, "POST", "/v1/transactions", { token, body: { ...row, ...words } });
  await send(url, "POST", "/v1/transactions", { token, body: { ...row, msisdn: forgery } });
  const shop = { name: forgery, logoUrl: `http://127.0.0.1:9/${encoded}` };
  await send(url, "POST", "/v1/sub-companies", { token, body: shop });
  const hook = { topic: forgery, url: `http://127.0.0.1:9/${encoded}` };
  await send(url, "POST", "/v1/webhooks", { token, body: hook });
  await send(url, "GET", `/v1/transactions/${encoded}?reference=${encoded}`, { token });
  await send(url, "GET", `/${encoded}`);
  await send(url, "GET", `/pay/${encoded}`);
  await send(url, "POST", "/wallet/code", { body: new URLSearchParams({ phone: forgery }) });
  for (const header of ["x-correlation-id", "x-request-id", "user-agent", "idempotency-key"])
    await fetch(`${url}/v1/balance`, { headers: { [header]: "a\u001b[31mforged" } }).catch(
      () => {},
    );
}

/** An error of the database that tells the whole row, and connections that are lost in the middle. */
async function breakTheDatabase(
  { database }: TestDatabase,
  url: string,
  token: string,
): Promise<void> {
  await database.query(
    sql`alter table transfers add constraint transfers_broken check (amount <> 7777) not valid`,
  );
  const body = { type: "transfer", amount: 7_777, msisdn: phone, reference: "told" };
  expect((await send(url, "POST", "/v1/transactions", { token, body })).status).toBe(500);
  await database.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await send(url, "GET", "/v1/balance", { token });
}

/** The names of the secrets that stand in a text. Six digits count only where no longer word has them inside. */
function secretsIn(output: string, secrets: Secrets): string[] {
  return [...secrets]
    .filter(([, secret]) => {
      expect(secret.length).toBeGreaterThanOrEqual(6);
      const isCode = /^\d{6}$/.test(secret);
      return isCode
        ? new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`).test(output)
        : output.includes(secret);
    })
    .map(([name]) => name);
}

function messageOf(line: string): string {
  return (JSON.parse(line) as { msg: string }).msg;
}
