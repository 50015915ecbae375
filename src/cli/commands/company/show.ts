import { aloneMaxOf, keysAloneMaxOf } from "../../../approvals/rules.ts";
import { pricesOf } from "../../../companies/change-company.ts";
import { companyIdPrefix } from "../../../companies/company.ts";
import { getCompany, placeOfCompany } from "../../../companies/find-company.ts";
import { toPublicId } from "../../../kernel/ids.ts";
import { balancesOf } from "../../../ledger/post.ts";
import type { Context, Outcome } from "../../context.ts";
import { toPriceLines, toPriceValue } from "../../describe-price.ts";
import { clockOf } from "../../find-clock.ts";
import { toFrancs, toPairs } from "../../table.ts";

/** What is known of a company, what its accounts hold, and every price it had. */
export async function showCompanyCommand(
  { database, config }: Context,
  companyId: string,
): Promise<Outcome> {
  const company = await getCompany(database, companyId);
  const balances = await balancesOf(database, companyId);
  const aloneMax = await aloneMaxOf(database, companyId);
  const keysAloneMax = await keysAloneMaxOf(database, companyId);
  const clock = clockOf({ config }, company);
  const { country, timeZone } = placeOfCompany(company, config.country);
  // A company that has never had another price may have no row of it.
  const found = await pricesOf(database, companyId);
  const prices =
    found.length > 0
      ? found
      : [{ ...company, number: company.priceNumber, since: company.createdAt }];
  const id = toPublicId(companyIdPrefix, companyId);
  return {
    value: {
      companyId: id,
      name: company.name,
      country: country.code,
      timeZone,
      isFrozen: company.isFrozen,
      createdAt: company.createdAt.toISOString(),
      balance: balances.available,
      accounts: balances,
      aloneMax,
      keysAloneMax,
      prices: prices.map((price) => ({
        number: price.number,
        since: price.since.toISOString(),
        ...toPriceValue(price),
      })),
    },
    text: [
      toPairs([
        ["company", id],
        ["name", company.name],
        ["place", `${country.code}, ${timeZone}`],
        ["state", company.isFrozen ? "frozen" : "in service"],
        ["created", clock.show(company.createdAt)],
        ...Object.entries(balances).map(([name, balance]): [string, string] => [
          name,
          toFrancs(balance),
        ]),
        ["alone", `${toFrancs(aloneMax)} by one person of the console within a day`],
        [
          "keys",
          keysAloneMax === null
            ? "any amount without a person"
            : `${toFrancs(keysAloneMax)} within a day without a person; more is held`,
        ],
      ]),
      ...prices.flatMap((price) => [
        "",
        `Price ${price.number}, since ${clock.show(price.since)}:`,
        toPairs(toPriceLines(price)),
      ]),
      "",
      clock.note,
    ].join("\n"),
  };
}
