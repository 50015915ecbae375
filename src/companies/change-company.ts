import type { Database } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { Actor } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { type Company, type CompanyChange, companyIdPrefix } from "./company.ts";
import { getCompany } from "./find-company.ts";
import { lockCompany, updateCompany } from "./store.ts";

/** Changes what is given; pages show it within seconds. */
export async function changeCompany(
  database: Database,
  companyId: string,
  change: CompanyChange,
  by: Actor,
): Promise<Company> {
  return database.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const before = await getCompany(tx, companyId);
    await updateCompany(tx, companyId, change);
    const after = await getCompany(tx, companyId);
    await recordForCompany(tx, companyId, by, {
      action: "company.changed",
      subject: toPublicId(companyIdPrefix, companyId),
      from: fieldsOf(before),
      to: fieldsOf(after),
    });
    return after;
  });
}

function fieldsOf({ name, country, timeZone }: Company) {
  return { name, country, timeZone };
}
