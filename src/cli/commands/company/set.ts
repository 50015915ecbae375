import { setRuleByOperator } from "../../../access/rules.ts";
import { aloneMaxOf, keysAloneMaxOf } from "../../../approvals/rules.ts";
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
import { toFrancs, toPairs } from "../../table.ts";

export interface SetCompanyOptions extends PriceOptions {
  readonly name?: string;
  readonly country?: string;
  readonly timeZone?: string;
  readonly aloneMax?: number;
  readonly keysAloneMax?: number | "off";
}

export async function setCompanyCommand(
  { database, config, signals }: Context,
  companyId: string,
  options: SetCompanyOptions,
): Promise<Outcome> {
  const price = priceChangeOf(options);
  const { name, country, timeZone, aloneMax, keysAloneMax } = options;
  const change = { name, country, timeZone, price };
  if (Object.values({ ...change, aloneMax, keysAloneMax }).every((value) => value === undefined))
    throw new NothingToChange("company set");
  const by = operator("company set");
  const company = await changeCompany(database, companyId, change, by);
  if (aloneMax !== undefined)
    await setRuleByOperator(database, companyId, { rule: "alone_max", amount: aloneMax }, by);
  const keysMax = keysAloneMax === "off" ? null : keysAloneMax;
  if (keysMax !== undefined)
    await setRuleByOperator(database, companyId, { rule: "keys_alone_max", amount: keysMax }, by);
  // Nodes remember companies with their tokens. (A price that a node has not heard of yet is refused by the database.)
  await signals.send(accessTokenChannel, "");
  const place = placeOfCompany(company, config.country);
  return {
    value: {
      companyId: toPublicId(companyIdPrefix, company.id),
      name: company.name,
      country: place.country.code,
      timeZone: place.timeZone,
      aloneMax: aloneMax ?? (await aloneMaxOf(database, companyId)),
      keysAloneMax: await keysAloneMaxOf(database, companyId),
      price: { number: company.priceNumber, ...toPriceValue(company) },
    },
    text: [
      `${company.name} was changed.`,
      ...(aloneMax === undefined ? [] : [describeAloneMax(aloneMax)]),
      ...(keysMax === undefined ? [] : [describeKeysAloneMax(keysMax)]),
      ...(price === undefined
        ? []
        : [
            `For whatever comes from now on (price ${company.priceNumber}):`,
            toPairs(toPriceLines(company)),
          ]),
    ].join("\n"),
  };
}

function describeAloneMax(aloneMax: number): string {
  return aloneMax === 0
    ? "Whatever is paid out from the console waits for a second person."
    : `One person may pay out ${toFrancs(aloneMax)} within a day from the console; more waits for a second one.`;
}

function describeKeysAloneMax(keysAloneMax: number | null): string {
  if (keysAloneMax === null)
    return "Its keys pay out without a person. What is held already waits for one as before.";
  return keysAloneMax === 0
    ? "Whatever its keys pay out is held until a person has approved it in the console."
    : `Its keys may pay out ${toFrancs(keysAloneMax)} within a day; more is held until a person has approved it in the console.`;
}
