import { companyIdPrefix } from "../../../companies/company.ts";
import { fundCompany } from "../../../companies/fund-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import type { Context, Outcome } from "../../context.ts";
import { toFrancs } from "../../table.ts";

export async function fundCompanyCommand(
  { database }: Context,
  companyId: string,
  amount: number,
): Promise<Outcome> {
  const balance = await fundCompany(database, new Date(), { companyId, amount });
  return {
    value: { companyId: toPublicId(companyIdPrefix, companyId), funded: amount, balance },
    text: `${toFrancs(amount)} added; the balance is ${toFrancs(balance)}.`,
  };
}
