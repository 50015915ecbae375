import type { Database, Queryable } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { firstUuidAt, toPublicId } from "../kernel/ids.ts";
import type { Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { selectKeysAloneMax, updateKeysAloneMax } from "./held-store.ts";
import { selectAloneMax, sumMadeAlone, upsertAloneMax } from "./store.ts";

/** What somebody pays out alone is counted over so long. */
const aloneHours = 24;

/** What one person may pay out alone within a day, in francs. Nothing, unless the operator has agreed otherwise. */
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
 * Only the operator changes it: who can raise the limit alone can pay out alone. What waits already keeps the rule under which
 * it was asked for.
 */
export async function setAloneMax(
  database: Database,
  companyId: string,
  aloneMax: number,
  by: Operator,
): Promise<void> {
  await database.transaction(async (tx) => {
    const before = await selectAloneMax(tx, companyId);
    await upsertAloneMax(tx, companyId, aloneMax);
    if (before === aloneMax) return;
    await recordForCompany(tx, companyId, by, {
      action: "company.changed",
      subject: toPublicId("com", companyId),
      from: { aloneMax: before },
      to: { aloneMax },
    });
  });
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

/** Only the operator changes it. Taking it away lets nothing go: what is held already waits for a person as before. */
export async function setKeysAloneMax(
  database: Database,
  companyId: string,
  keysAloneMax: number | null,
  by: Operator,
): Promise<void> {
  await database.transaction(async (tx) => {
    const before = await selectKeysAloneMax(tx, companyId);
    await updateKeysAloneMax(tx, companyId, keysAloneMax);
    if (before === keysAloneMax) return;
    await recordForCompany(tx, companyId, by, {
      action: "company.changed",
      subject: toPublicId("com", companyId),
      from: { keysAloneMax: before },
      to: { keysAloneMax },
    });
  });
}
