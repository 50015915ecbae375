import { pino } from "pino";
import type { CodePurpose } from "../src/customers/one-time-code.ts";
import { OneTimeCodes } from "../src/customers/one-time-codes.ts";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { logMessenger } from "../src/messages/log-messenger.ts";
import type { Messenger } from "../src/messages/messenger.ts";
import { box } from "./fixtures.ts";

/** As staging has them, unless another messenger is given: nothing is sent, and the code is told. */
export function makeCodes(
  database: Database,
  messenger: Messenger = logMessenger(pino({ level: "silent" })),
): OneTimeCodes {
  return new OneTimeCodes({ database, box, messenger });
}

/** Sends a code that must not be refused. */
export async function sendCode(codes: OneTimeCodes, msisdn: string, purpose: CodePurpose) {
  const sent = await codes.send({ msisdn, purpose, text: (code) => `Code: ${code}` });
  if (sent.kind !== "sent") throw new Error(`refused: ${JSON.stringify(sent)}`);
  return { ...sent, code: sent.code ?? "" };
}

/** As if this many seconds had passed for every code, sent and unsent. */
export async function passCodeTime(database: Database, seconds: number): Promise<void> {
  await database.query(sql`
    update one_time_codes set sent_at = sent_at - make_interval(secs => ${seconds})`);
}

/** Another six digits than these. */
export function wrongCode(code: string): string {
  return ((Number(code) + 1) % 1_000_000).toString().padStart(6, "0");
}
