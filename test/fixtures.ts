import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { test as base, inject } from "vitest";
import { type RunningParts, startParts } from "../src/app.ts";
import { auditChecks } from "../src/audit-checks.ts";
import { createCompany, type NewCompany } from "../src/companies/create-company.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { KycStatus } from "../src/customers/customer.ts";
import { addCustomer } from "../src/customers/keep-book.ts";
import { Database } from "../src/database/database.ts";
import { sqlState } from "../src/database/errors.ts";
import { sql } from "../src/database/sql.ts";
import { secretBox } from "../src/kernel/secret-box.ts";
import { audit, type Difference } from "../src/ledger/audit.ts";
import { giveBack, takeUsedDatabase } from "./used-databases.ts";

export const box = secretBox(randomBytes(32));

export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
}

/**
 * A database of the test's own: copied from the migrated template (or from an empty one), or used by an earlier test and
 * emptied. Gone or emptied afterwards.
 */
export async function makeDatabase(
  template: "cauri_template" | "template0" = "cauri_template",
  mayBeUsed = true,
): Promise<TestDatabase & { drop(): Promise<void> }> {
  const admin = inject("postgresUrl");
  const servers = [admin, ...inject("workerUrls")];
  // The template of a cluster lets nobody in who could compare.
  const isReusable = mayBeUsed && template === "cauri_template" && !inject("isCluster");
  const taken = (isReusable ? takeUsedDatabase() : undefined) ?? {
    name: `t_${inject("runId")}_${randomUUID().replaceAll("-", "")}`,
    uses: 0,
  };
  const { name, uses } = taken;
  const made = `create database ${name} template ${template} strategy ${inject("copyStrategy")}`;
  if (uses === 0) await Promise.all(servers.map((server) => administer(server, made)));
  const database = new Database({ url: urlOf(name), poolSize: 10 });
  return {
    url: urlOf(name),
    database,
    async drop() {
      await database.close();
      if (isReusable && (await giveBack(urlOf, taken, template))) return;
      for (const server of servers) await dropByForce(server, name);
    },
  };
}

const inUse = "55006";

/** As long as a busy machine may take. */
const dropWithinMs = 120_000;

/** Whoever is thrown out may come back before it is gone: the extension of a cluster does. */
async function dropByForce(server: string, name: string): Promise<void> {
  const deadline = performance.now() + dropWithinMs;
  for (;;) {
    try {
      return await administer(server, `drop database ${name} with (force)`);
    } catch (error) {
      if (sqlState(error) !== inUse || performance.now() > deadline) throw error;
    }
  }
}

function urlOf(name: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  return url.href;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A company with its token: what a script gets from `cauri company create --json`. */
export interface TestCompany {
  readonly id: string;
  readonly accessToken: string;
  readonly secretKey: string;
}

export async function makeCompany(
  database: Database,
  request: Partial<NewCompany> = {},
): Promise<TestCompany> {
  const { company, key } = await createCompany(database, box, {
    name: "Test",
    fund: 1_000_000,
    ...request,
  });
  return { id: company.id, accessToken: key.accessToken, secretKey: key.secretKey };
}

export async function makeCustomer(
  database: Database,
  msisdn: string,
  kycStatus: KycStatus = "complete",
  balanceMax: number | null = null,
) {
  await addCustomer(database, {
    msisdn,
    firstName: "Awa",
    lastName: "Diop",
    kycStatus,
    balanceMax,
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects; a wrong one fails it.
  readonly body: any;
}

/** The service on a real socket, as a client sees it. */
export class TestService {
  readonly url: string;
  readonly #parts: RunningParts;

  constructor(url: string, parts: RunningParts) {
    this.url = url;
    this.#parts = parts;
  }

  get app() {
    return this.#parts.app;
  }

  async call(
    method: string,
    path: string,
    options: {
      readonly token?: string;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: typeof options.body === "string" ? options.body : JSON.stringify(options.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
  }

  async stop(): Promise<void> {
    await this.#parts.app.close();
    await this.#parts.stop();
  }
}

export async function startService(
  { url, database }: TestDatabase,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const config: Config = readConfig({
    PORT: "0",
    LOG_LEVEL: "silent",
    AUTH_FAILURES_PER_MINUTE: "100000",
    // Client and service share this process's event loop, so its delay says nothing here.
    EVENT_LOOP_DELAY_MAX_MS: "0",
    ...environment,
  });
  const parts = await startParts(config, pino({ level: "silent" }), database, url, box);
  const address = await parts.app.listen({ host: "127.0.0.1", port: config.port });
  return new TestService(address, parts);
}

/** What production does not start without. */
export function productionSettings({ url }: Pick<TestDatabase, "url">): Record<string, string> {
  return {
    CAURI_ENV: "production",
    DATABASE_URL: url,
    MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    PUBLIC_URL: "https://pay.example",
    SMS_GATEWAY_URL: "https://sms.example/messages",
    SMS_GATEWAY_TOKEN: "gateway-token",
    OPERATOR_NAME: "Teranga Pay",
    OPERATOR_TERMS_URL: "https://teranga.example/terms",
    OPERATOR_SUPPORT: "+221 33 800 00 00",
    // The tests' PostgreSQL does not wait for the disk.
    PAYMENTS_MAY_BE_LOST_WITHOUT: "fsync",
  };
}

/** Everything the audit finds wrong; a test expects nothing. */
export async function auditDifferences(
  database: Database,
): Promise<readonly (Difference & { check: string })[]> {
  const results = await audit(database, auditChecks);
  return results.flatMap(({ check, differences }) =>
    differences.map((difference) => ({ check, ...difference })),
  );
}

/** Waits until nothing is pending any more. */
export async function untilSettled(database: Database, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const rows = await database.query(sql`select 1 from pending_transfers limit 1`);
    if (rows.length === 0) return;
    await sleep(20);
  }
  throw new Error("transfers are still pending");
}

/** `database`, `service` and `company` of this test alone; made when a test asks for them, gone afterwards. */
export const test = base.extend<{ db: TestDatabase; service: TestService; company: TestCompany }>({
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the fixtures a function needs from its pattern.
  db: async ({}, use) => {
    const made = await makeDatabase();
    await use(made);
    await made.drop();
  },
  service: async ({ db }, use) => {
    const service = await startService(db);
    await use(service);
    await service.stop();
  },
  company: async ({ db }, use) => {
    await use(await makeCompany(db.database));
  },
});
