import { changeCompany } from "../../../companies/change-company.ts";
import { type CompanyChange, companyIdPrefix } from "../../../companies/company.ts";
import { placeOfCompany } from "../../../companies/find-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";

export async function setCompanyCommand(
  { database, config }: Context,
  companyId: string,
  change: CompanyChange,
): Promise<Outcome> {
  const company = await changeCompany(database, companyId, change, operator("company set"));
  const { country, timeZone } = placeOfCompany(company, config.country);
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, company.id),
      name: company.name,
      country: country.code,
      timeZone,
    },
    text: `${company.name} was changed.`,
  };
}
