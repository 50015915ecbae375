import type { Country } from "../../kernel/countries.ts";
import { isDay, startOfDay } from "../../kernel/days.ts";
import { parsePublicId } from "../../kernel/ids.ts";
import { readSoughtPhone } from "../../kernel/read-phone.ts";
import { readAmount } from "../../payouts/read-amount.ts";
import type { TransferSearch } from "../../transfers/search-transfers.ts";
import { failureReasons, transferStatuses } from "../../transfers/transfer.ts";
import { lastMomentOf, readTypedFields } from "../list-query.ts";

/** What a list of transfers can be asked for: the names of its filters in the address. */
export const searchFields = [
  "status",
  "from",
  "to",
  "min",
  "max",
  "phone",
  "subCompany",
  "batch",
  "reason",
] as const;
type SearchField = (typeof searchFields)[number];

/** As it was typed: of each filter that is set, its text. */
type TypedSearch = Readonly<Partial<Record<SearchField, string>>>;

export interface ReadSearch {
  readonly typed: TypedSearch;
  readonly search: TransferSearch;
  /** Filters that nobody can understand: nothing is shown until they are mended. */
  readonly wrong: readonly SearchField[];
}

/** Reads the filters of an address. */
export function readSearch(
  query: URLSearchParams,
  { country, timeZone }: { readonly country: Country; readonly timeZone: string },
): ReadSearch {
  const typed = readTypedFields(query, searchFields);
  const search: { -readonly [Name in keyof TransferSearch]: TransferSearch[Name] } = {};
  const readers: Readonly<Record<SearchField, (text: string) => boolean>> = {
    status: (text) =>
      set(
        "status",
        transferStatuses.find((one) => one === text),
      ),
    from: (text) => set("createdFrom", isDay(text) ? startOfDay(text, timeZone) : undefined),
    to: (text) => set("createdTo", isDay(text) ? lastMomentOf(text, timeZone) : undefined),
    min: (text) => set("amountMin", readAmount(text).amount),
    max: (text) => set("amountMax", readAmount(text).amount),
    phone: (text) => set("msisdn", readSoughtPhone(text, country)),
    subCompany: (text) => set("subCompanyId", parsePublicId("subco", text)),
    batch: (text) => set("batchId", parsePublicId("bat", text)),
    reason: (text) =>
      set(
        "failureReason",
        failureReasons.find((one) => one === text),
      ),
  };
  function set<Name extends keyof TransferSearch>(
    name: Name,
    value: TransferSearch[Name] | undefined,
  ): boolean {
    if (value !== undefined) search[name] = value;
    return value !== undefined;
  }
  const wrong = searchFields.filter((name) => {
    const text = typed[name];
    return text !== undefined && !readers[name](text);
  });
  return { typed, search, wrong };
}
