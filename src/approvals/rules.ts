import type { Database, Queryable, Tx } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { firstUuidAt, toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { lockKeysAloneMax, selectKeysAloneMax, updateKeysAloneMax } from "./held-store.ts";
import { lockAloneMax, selectAloneMax, sumMadeAlone, updateAloneMax } from "./rules-store.ts";

/** What somebody pays out alone is counted over so long. */
const aloneHours = 24;

/** What one person may pay out alone within a day, in francs. Nothing, unless somebody has agreed otherwise. */
export async function aloneMaxOf(database: Queryable, companyId: string): Promise<number> {
  return selectAloneMax(database, companyId);
}

/** What is left of it to this person: more than this waits for somebody else. */
export async function aloneLeftOf(
  database: Queryable,
  companyId: string,
  personId: string,
): Promise<number> {
  const max = await selectAloneMax(database, companyId);
  if (max === 0) return 0;
  const now = await readDatabaseTime(database);
  const since = firstUuidAt(now.getTime() - aloneHours * 3_600_000);
  return Math.max(0, max - (await sumMadeAlone(database, companyId, personId, since)));
}

/**
 * What keys may pay out within a day without a person, in francs with fees; null: keys are not concerned. What is more is accepted
 * and held.
 */
export async function keysAloneMaxOf(
  database: Queryable,
  companyId: string,
): Promise<number | null> {
  return selectKeysAloneMax(database, companyId);
}

/** What may go out without a second person: by one person of the console, or by keys. */
export type Rule = "alone_max" | "keys_alone_max";

/** What holds now, in francs (null: without a limit); nobody else changes it until the commit. */
export function lockRule(tx: Tx, companyId: string, rule: Rule): Promise<number | null> {
  return rule === "alone_max" ? lockAloneMax(tx, companyId) : lockKeysAloneMax(tx, companyId);
}

/**
 * Changes a rule at once. Who asks has been seen to: whoever could raise it alone could pay out alone. What waits already keeps
 * the rule under which it was asked for, and what is held waits for a person as before.
 */
export async function setRule(
  tx: Tx,
  companyId: string,
  rule: Rule,
  amount: number | null,
  by: Operator | ConsolePerson,
): Promise<void> {
  const before = await lockRule(tx, companyId, rule);
  if (before === amount) return;
  if (rule === "keys_alone_max") await updateKeysAloneMax(tx, companyId, amount);
  else await updateAloneMax(tx, companyId, amount ?? 0);
  const name = rule === "alone_max" ? "aloneMax" : "keysAloneMax";
  await recordForCompany(tx, companyId, by, {
    action: "company.changed",
    subject: toPublicId("com", companyId),
    from: { [name]: before },
    to: { [name]: amount },
  });
}

/** By the operator, at once. */
export function setAloneMax(
  database: Database,
  companyId: string,
  aloneMax: number,
  by: Operator,
): Promise<void> {
  return database.transaction((tx) => setRule(tx, companyId, "alone_max", aloneMax, by));
}

/** By the operator, at once; null: keys are not concerned. */
export function setKeysAloneMax(
  database: Database,
  companyId: string,
  keysAloneMax: number | null,
  by: Operator,
): Promise<void> {
  return database.transaction((tx) => setRule(tx, companyId, "keys_alone_max", keysAloneMax, by));
}
