import { companyIdPrefix } from "../../../companies/company.ts";
import { eachCompany } from "../../../companies/list-companies.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { Context, Outcome } from "../../context.ts";
import { findClock } from "../../find-clock.ts";
import { toFrancs, toTable } from "../../table.ts";

export async function listCompaniesCommand(context: Context): Promise<Outcome> {
  const clock = await findClock(context, undefined);
  const companies = [];
  for await (const company of eachCompany(context.database)) {
    companies.push({
      companyId: toPublicId(companyIdPrefix, company.id),
      name: company.name,
      balance: company.balance,
      isFrozen: company.isFrozen,
      createdAt: company.createdAt.toISOString(),
    });
  }
  return {
    value: companies,
    text: `${toTable([
      ["COMPANY", "NAME", "BALANCE", "CREATED", "STATE"],
      ...companies.map(({ companyId, name, balance, createdAt, isFrozen }) => [
        companyId,
        name,
        toFrancs(balance),
        clock.show(createdAt),
        isFrozen ? "frozen" : "",
      ]),
    ])}\n\n${clock.note}`,
  };
}
