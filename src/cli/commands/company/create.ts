import {
  chargeAmountDefault,
  companyIdPrefix,
  transferAmountDefault,
} from "../../../companies/company.ts";
import { createCompany, type NewCompany } from "../../../companies/create-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { toVisible } from "../../../kernel/visible.ts";
import { balancesOf } from "../../../ledger/post.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { CrossedBounds } from "../../errors.ts";
import { toFrancs } from "../../table.ts";

export interface CreateCompanyOptions {
  readonly fund: number;
  readonly transferFeeRate: number;
  readonly transferFeeFlat: number;
  readonly transferFeeMin: number;
  readonly transferFeeMax?: number;
  readonly transferMin?: number;
  readonly transferMax?: number;
  readonly chargeFeeRate: number;
  readonly chargeMin?: number;
  readonly chargeMax?: number;
  readonly country?: string;
  readonly timeZone?: string;
}

export async function createCompanyCommand(
  { database, openBox }: Context,
  name: string,
  options: CreateCompanyOptions,
): Promise<Outcome> {
  const request: NewCompany = {
    name,
    fund: options.fund,
    transferFee: {
      ratePpm: options.transferFeeRate,
      flat: options.transferFeeFlat,
      min: options.transferFeeMin,
      max: options.transferFeeMax ?? null,
    },
    transferAmount: {
      min: options.transferMin ?? transferAmountDefault.min,
      max: options.transferMax ?? transferAmountDefault.max,
    },
    chargeFeeRatePpm: options.chargeFeeRate,
    chargeAmount: {
      min: options.chargeMin ?? chargeAmountDefault.min,
      max: options.chargeMax ?? chargeAmountDefault.max,
    },
    country: options.country,
    timeZone: options.timeZone,
  };
  refuseCrossedBounds(request);
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

/** Bounds that are not given have a default, so one option alone can cross them. */
function refuseCrossedBounds({ transferFee, transferAmount, chargeAmount }: NewCompany): void {
  for (const [what, bounds] of [
    ["transfer-fee", transferFee],
    ["transfer", transferAmount],
    ["charge", chargeAmount],
  ] as const)
    if (bounds !== undefined && bounds.max !== null && bounds.min > bounds.max)
      throw new CrossedBounds(what, bounds.min, bounds.max);
}
