import { randomBytes } from "node:crypto";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { findPerson } from "../src/staff/people.ts";
import { setSecondFactor } from "../src/staff/second-factor.ts";
import { stepAt, totpCodeAt } from "../src/staff/totp.ts";
import type { SignedIn } from "./console.ts";
import { box } from "./fixtures.ts";

/** Gives a person an app that shows codes, and answers what it shows now: good once, as if time had gone on. */
export async function giveAuthenticator(
  database: Database,
  { personId }: Pick<SignedIn, "personId">,
): Promise<() => Promise<string>> {
  const secret = randomBytes(20);
  const now = new Date();
  await database.transaction(async (tx) => {
    const person = await findPerson(tx, personId);
    if (person === undefined) throw new Error("nobody");
    const code = totpCodeAt(secret, stepAt(now));
    const by = { personId, address: "192.0.2.1", via: "a test" };
    await setSecondFactor(tx, box, now, person, secret, code, by);
  });
  return async () => {
    await database.query(sql`update people set totp_step = 0 where person_id = ${personId}`);
    return totpCodeAt(secret, stepAt(new Date()));
  };
}
