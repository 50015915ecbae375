import { companyIdPrefix, firstPrice } from "../../../companies/company.ts";
import { createCompany, type NewCompany } from "../../../companies/create-company.ts";
import { changedPrice } from "../../../companies/price.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { balancesOf } from "../../../ledger/post.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { type PriceOptions, priceChangeOf } from "../../price-options.ts";
import { toFrancs } from "../../table.ts";

export interface CreateCompanyOptions extends PriceOptions {
  readonly fund: number;
  readonly country?: string;
  readonly timeZone?: string;
}

export async function createCompanyCommand(
  { database, openBox }: Context,
  name: string,
  options: CreateCompanyOptions,
): Promise<Outcome> {
  const { fund, country, timeZone } = options;
  const price = changedPrice(firstPrice, priceChangeOf(options) ?? {});
  const request: NewCompany = { name, fund, country, timeZone, ...price };
  const { company, key } = await createCompany(
    database,
    await openBox(),
    new Date(),
    request,
    operator("company create"),
  );
  const { available: balance } = await balancesOf(database, company.id);
  const companyId = toPublicId(companyIdPrefix, company.id);
  return {
    value: {
      companyId,
      name: company.name,
      accessToken: key.accessToken,
      secretKey: key.secretKey,
      balance,
    },
    text: [
      `${toVisible(company.name)} was created with ${toFrancs(balance)}. The keys are shown this once:`,
      `  company id    ${companyId}`,
      `  access token  ${key.accessToken}`,
      `  secret key    ${key.secretKey}`,
    ].join("\n"),
  };
}
