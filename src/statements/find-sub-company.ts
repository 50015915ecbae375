import { SubCompanyUnknown } from "../companies/errors.ts";
import { findSubCompanies } from "../companies/find-company.ts";
import { subCompanyIdPrefix } from "../companies/sub-company.ts";
import type { Database } from "../database/database.ts";
import { parsePublicId } from "../kernel/ids.ts";

/** Also one that is not active any more: its statement stays. */
export async function findSubCompanyId(
  database: Database,
  companyId: string,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const id = parsePublicId(subCompanyIdPrefix, text);
  const [found] = id === undefined ? [] : await findSubCompanies(database, companyId, [id]);
  if (found === undefined) throw new SubCompanyUnknown();
  return found.id;
}
