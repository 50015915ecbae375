import type { Database } from "../database/database.ts";
import { selectLastBefore, selectLastPosting } from "./lines-store.ts";
import { byKind } from "./read-head.ts";
import type { LineTotals } from "./statement.ts";
import { extendTotals, totalsOfEach } from "./totals.ts";

const nothing = new Map<string, never>();

/**
 * What passed in the name of each of these sub-companies since a moment, by kind. Read from the sums that are kept for
 * statements, twice for all of them together: how much a company posts does not matter. Throws StatementNotReady while very much is
 * still to be summed.
 */
export async function readVolumes(
  database: Database,
  companyId: string,
  subCompanyIds: readonly string[],
  since: Date,
): Promise<Map<string, readonly LineTotals[]>> {
  if (subCompanyIds.length === 0) return new Map();
  await extendTotals(database, companyId);
  const upto = await selectLastPosting(database, companyId);
  const after = Math.min(upto, await selectLastBefore(database, companyId, since));
  const before = await totalsOfEach(database, companyId, subCompanyIds, after);
  const end = await totalsOfEach(database, companyId, subCompanyIds, upto);
  return new Map(
    subCompanyIds.map((id) => [id, byKind(before.get(id) ?? nothing, end.get(id) ?? nothing)]),
  );
}
