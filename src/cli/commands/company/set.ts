import { changeCompany } from "../../../companies/change-company.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { accessTokenChannel } from "../../../companies/credentials.ts";
import { placeOfCompany } from "../../../companies/find-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { operator } from "../../../trail/actor.ts";
import type { Context, Outcome } from "../../context.ts";
import { toPriceLines, toPriceValue } from "../../describe-price.ts";
import { NothingToChange } from "../../errors.ts";
import { type PriceOptions, priceChangeOf } from "../../price-options.ts";
import { toPairs } from "../../table.ts";

export interface SetCompanyOptions extends PriceOptions {
  readonly name?: string;
  readonly country?: string;
  readonly timeZone?: string;
}

export async function setCompanyCommand(
  { database, config, signals }: Context,
  companyId: string,
  options: SetCompanyOptions,
): Promise<Outcome> {
  const price = priceChangeOf(options);
  const { name, country, timeZone } = options;
  const change = { name, country, timeZone, price };
  if (Object.values(change).every((value) => value === undefined))
    throw new NothingToChange("company set");
  const company = await changeCompany(database, companyId, change, operator("company set"));
  // Nodes remember companies with their tokens. (A price that a node has not heard of yet is refused by the database.)
  await signals.send(accessTokenChannel, "");
  const place = placeOfCompany(company, config.country);
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, company.id),
      name: company.name,
      country: place.country.code,
      timeZone: place.timeZone,
      price: { number: company.priceNumber, ...toPriceValue(company) },
    },
    text: [
      `${company.name} was changed.`,
      ...(price === undefined
        ? []
        : [
            `For whatever comes from now on (price ${company.priceNumber}):`,
            toPairs(toPriceLines(company)),
          ]),
    ].join("\n"),
  };
}
