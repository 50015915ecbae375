import { chargeStatuses } from "../../charges/charge.ts";
import type { ChargeSearch } from "../../charges/search-charges.ts";
import type { Country } from "../../kernel/countries.ts";
import { isDay, startOfDay } from "../../kernel/days.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { toDigits } from "../../kernel/msisdn.ts";
import { readSoughtPhone } from "../../kernel/read-phone.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import { lastMomentOf, readTypedFields } from "../list-query.ts";

/** What a list of collections can be asked for: the names of its filters in the address. */
export const searchFields = ["status", "from", "to", "min", "max", "phone", "subCompany"] as const;
export type SearchField = (typeof searchFields)[number];

export interface ReadSearch {
  /** As it was typed: of each filter that is set, its text. */
  readonly typed: Readonly<Partial<Record<SearchField, string>>>;
  readonly search: ChargeSearch;
  /** Filters that nobody can understand: nothing is shown until they are mended. */
  readonly wrong: readonly SearchField[];
}

/** Reads the filters of an address. */
export function readSearch(
  query: URLSearchParams,
  { country, timeZone }: { readonly country: Country; readonly timeZone: string },
): ReadSearch {
  const typed = readTypedFields(query, searchFields);
  const search: { -readonly [Name in keyof ChargeSearch]: ChargeSearch[Name] } = {};
  function set<Name extends keyof ChargeSearch>(
    name: Name,
    value: ChargeSearch[Name] | undefined,
  ): boolean {
    if (value !== undefined) search[name] = value;
    return value !== undefined;
  }
  const readers: Readonly<Record<SearchField, (text: string) => boolean>> = {
    status: (text) =>
      set(
        "status",
        chargeStatuses.find((one) => one === text),
      ),
    from: (text) => set("createdFrom", isDay(text) ? startOfDay(text, timeZone) : undefined),
    to: (text) => set("createdTo", isDay(text) ? lastMomentOf(text, timeZone) : undefined),
    min: (text) => set("amountMin", readAmount(text).amount),
    max: (text) => set("amountMax", readAmount(text).amount),
    phone: (text) => {
      const msisdn = readSoughtPhone(text, country);
      return set("msisdn", msisdn === undefined ? undefined : toDigits(msisdn));
    },
    subCompany: (text) => set("subCompanyId", parsePublicId("subco", text)),
  };
  const wrong = searchFields.filter((name) => {
    const text = typed[name];
    return text !== undefined && !readers[name](text);
  });
  return { typed, search, wrong };
}
