import type { Company } from "../companies/company.ts";
import { getCompany, placeOfCompany } from "../companies/find-company.ts";
import { Clock } from "./clock.ts";
import type { Context } from "./context.ts";

export function clockOf(
  { config }: Pick<Context, "config">,
  company: Pick<Company, "country" | "timeZone">,
): Clock {
  return new Clock(placeOfCompany(company, config.country).timeZone);
}

/** Of a company, or of the installation where none is meant. Throws CompanyNotFound. */
export async function findClock(
  context: Pick<Context, "config" | "database">,
  companyId: string | undefined,
): Promise<Clock> {
  if (companyId === undefined) return new Clock(context.config.country.timeZone);
  return clockOf(context, await getCompany(context.database, companyId));
}
