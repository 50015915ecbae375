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
  readonly shell?: boolean;
}

export async function createCompanyCommand(
  { database, openBox }: Context,
  name: string,
  options: CreateCompanyOptions,
): Promise<Outcome> {
  const { fund, country, timeZone, shell } = options;
  const price = changedPrice(firstPrice, priceChangeOf(options) ?? {});
  const request: NewCompany = { name, fund, country, timeZone, ...price };
  const { company, key } = await createCompany(
    database,
    await openBox(),
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
    text:
      shell === true
        ? toShell({ companyId, ...key })
        : [
            `${toVisible(company.name)} was created with ${toFrancs(balance)}. The keys are shown this once:`,
            `  company id    ${companyId}`,
            `  access token  ${key.accessToken}`,
            `  secret key    ${key.secretKey}`,
          ].join("\n"),
  };
}

/** The settings with which a terminal, and the programs started in it, speak for the company. */
function toShell({
  companyId,
  accessToken,
  secretKey,
}: Readonly<Record<"companyId" | "accessToken" | "secretKey", string>>): string {
  const settings = {
    CAURI_COMPANY_ID: companyId,
    CAURI_TOKEN: accessToken,
    CAURI_SECRET_KEY: secretKey,
  };
  return Object.entries(settings)
    .map(([name, value]) => `export ${name}=${value}`)
    .join("\n");
}
