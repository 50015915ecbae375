import type { Database, Queryable } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { selectAloneMax, upsertAloneMax } from "./store.ts";

/** What one person may pay out alone within a day, in francs. Nothing, unless the operator has agreed otherwise. */
export async function aloneMaxOf(database: Queryable, companyId: string): Promise<number> {
  return selectAloneMax(database, companyId);
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
