import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createCompany } from "../../src/companies/create-company.ts";
import { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { secretBox } from "../../src/kernel/secret-box.ts";
import { type CommandResult, Program, runCommand } from "../program.ts";

const fund = 1_000_000_000;
/** A database under load may not answer at once what /metrics asks it for. */
const toldLimitMs = 20_000;
const pollMs = 200;

/** A service that runs in production, on a database that it makes for itself. */
export class Production {
  readonly #dataDir: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #masterKey = randomBytes(32);
  readonly #databaseUrl: string;
  #program: Program | undefined;

  constructor(dataDir: string, databaseUrl: string) {
    this.#dataDir = dataDir;
    this.#databaseUrl = databaseUrl;
    this.#settings = {
      CAURI_ENV: "production",
      DATABASE_URL: databaseUrl,
      MASTER_KEY: this.#masterKey.toString("base64"),
      PUBLIC_URL: "https://pay.example",
      SMS_GATEWAY_URL: "https://sms.example/messages",
      SMS_GATEWAY_TOKEN: "gateway-token",
      OPERATOR_NAME: "Teranga Pay",
      OPERATOR_TERMS_URL: "https://teranga.example/terms",
      OPERATOR_SUPPORT: "+221 33 800 00 00",
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: "error",
      // Nothing but the database says no.
      EVENT_LOOP_DELAY_MAX_MS: "0",
      UNKNOWN_RECIPIENTS_PER_DAY: "1000000000",
    };
  }

  get url(): string {
    return this.#program?.url ?? "";
  }

  async start(): Promise<void> {
    this.#program = await new Program(this.#dataDir, this.#settings).ready();
  }

  /** A company that can pay, and the token of its key. */
  makeCompany(): Promise<string> {
    return this.withDatabase(async (database) => {
      const box = secretBox(this.#masterKey);
      const company = { name: "Teranga Textile", fund };
      const { key } = await createCompany(database, box, company);
      return key.accessToken;
    });
  }

  /** Of all transfers that are in the books. */
  readReferences(): Promise<ReadonlySet<string>> {
    return this.withDatabase(async (database) => {
      const rows = await database.query<{ reference: string }>(
        sql`select reference from transfers`,
      );
      return new Set(rows.map(({ reference }) => reference));
    });
  }

  /** What /metrics says of a series in the end: what it had to ask the database for is kept for two seconds. */
  async untilMetric(series: string, expected: string): Promise<string[]> {
    const deadline = performance.now() + toldLimitMs;
    let told = await this.#readMetric(series);
    while (told !== expected && performance.now() < deadline) {
      await sleep(pollMs);
      told = await this.#readMetric(series);
    }
    return told === expected ? [] : [`${series} is ${told}, and not ${expected}`];
  }

  /** One value of /metrics; undefined: it is not there. */
  async #readMetric(series: string): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${metricsToken}` };
    const text = await (await fetch(`${this.url}/metrics`, { headers })).text();
    return text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1);
  }

  /** As an operator runs one, with the settings of the service. */
  command(args: readonly string[], settings = {}): Promise<CommandResult> {
    return runCommand(this.#dataDir, args, { ...this.#settings, ...settings });
  }

  async stop(): Promise<void> {
    await this.#program?.end("SIGKILL");
  }

  async withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const database = new Database({ url: this.#databaseUrl, poolSize: 1 });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
}

const metricsToken = "of whoever watches".replaceAll(" ", "-");
