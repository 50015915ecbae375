import { createHash } from "node:crypto";
import { type Logger, pino } from "pino";
import { readConfig } from "../src/config.ts";
import type { CodePurpose } from "../src/customers/one-time-code.ts";
import { OneTimeCodes } from "../src/customers/one-time-codes.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { Metrics } from "../src/kernel/metrics.ts";
import { watchBudgets } from "../src/messages/budget-watch.ts";
import { logMessenger } from "../src/messages/log-messenger.ts";
import { MessageBudget } from "../src/messages/message-budget.ts";
import type { Messenger } from "../src/messages/messenger.ts";
import { box } from "./fixtures.ts";
import { setBack } from "./set-back.ts";

/** Any browser, by a name of the test's own. */
export function browser(name = "a browser"): Buffer {
  return createHash("sha256").update(name).digest();
}

/** Where messages are asked for in tests that are not about budgets. */
export const origin = { address: "203.0.113.7", companyId: undefined };

export interface CodesOptions {
  readonly messenger?: Messenger;
  readonly settings?: Record<string, string>;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** As staging has them, unless another messenger is given: nothing is sent, and the code is told. */
export function makeCodes(database: Database, options: CodesOptions = {}): OneTimeCodes {
  const {
    logger = pino({ level: "silent" }),
    metrics = new Metrics(),
    messenger = logMessenger(pino({ level: "silent" })),
    settings = {},
  } = options;
  const watch = watchBudgets(logger, metrics);
  const budget = new MessageBudget({ database, config: readConfig(settings), watch });
  return new OneTimeCodes({ database, box, messenger, budget, logger, metrics });
}

/** Sends a code that must not be refused. */
export async function sendCode(
  codes: OneTimeCodes,
  msisdn: string,
  purpose: CodePurpose,
  asker = browser(),
) {
  const text = (code: string) => `Code: ${code}`;
  const sent = await codes.send({ msisdn, purpose, browser: asker, origin, text });
  if (sent.kind !== "sent") throw new Error(`refused: ${JSON.stringify(sent)}`);
  return { ...sent, code: sent.code ?? "" };
}

/** As if this many seconds had passed for every code, sent and unsent. */
export async function passCodeTime(database: Database, seconds: number): Promise<void> {
  await setBack(database, "one_time_codes", "sent_at", `${seconds} seconds`);
}

/** Another six digits than these. */
export function wrongCode(code: string): string {
  return ((Number(code) + 1) % 1_000_000).toString().padStart(6, "0");
}

/**
 * Runs a test of budgets within one hour of the database's clock: one that the end of the hour fell into is run again,
 * with nothing counted yet.
 */
export async function withinOneHour(database: Database, body: () => Promise<void>): Promise<void> {
  const hour = await hourOf(database);
  try {
    await body();
  } catch (error) {
    if ((await hourOf(database)) === hour) throw error;
    await database.query(sql`delete from message_counts`);
    await body();
  }
}

export async function hourOf(database: Database): Promise<number> {
  const rows = await database.query<{ hour: number }>(sql`
    select floor(extract(epoch from now()) / 3600)::integer as hour`);
  return rows[0]?.hour ?? 0;
}
