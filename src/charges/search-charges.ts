import type { Queryable } from "../database/database.ts";
import { type Page, type PageRequest, toCursor, toPage } from "../kernel/page.ts";
import type { Charge } from "./charge.ts";
import { expireSet } from "./expire-charges.ts";
import { asTheyAre, listCharges } from "./find-charges.ts";
import type { Payments } from "./payments.ts";
import { type ChargeSearch, type SearchSum, selectLooked, selectSum } from "./search-store.ts";

export type { ChargeSearch, SearchSum } from "./search-store.ts";

/** Rows that one statement looks at. */
const stretchSize = 1_000;
/** Rows that a sum looks at; beyond them it says how much it is at least. */
export const sumRowsMax = 10_000;
/** So few that they are garbage before they are old. */
const exportSize = 250;

/** A page of what was found. Where rows had to be passed over, it may have fewer than it could, and more behind it. */
export interface SearchPage extends Page<Charge> {
  /** So many rows were looked at without finding enough; null: the page is as full as it can be. */
  readonly looked: number | null;
}

/**
 * A page of the charges that are meant, newest first. Amounts have no index: what an index leads to is looked at, a thousand
 * rows for a page and never more. A page that comes to its end before it is full leads on from there.
 */
export async function searchCharges(
  payments: Payments,
  companyId: string,
  search: ChargeSearch,
  request: PageRequest,
): Promise<SearchPage> {
  const list = { name: "charges", companyId };
  if (!passesOver(search))
    return { ...(await listCharges(payments, companyId, search, request)), looked: null };
  await dropFirst(payments, companyId, search);
  const wanted = request.limit + 1;
  const stretch = { ...request, limit: stretchSize - 1 };
  const looked = await selectLooked(payments.database, companyId, search, stretch, wanted);
  const { found, count, edge } = looked;
  const page = toPage(list, request, await asTheyAre(payments, companyId, found));
  if (found.length === wanted || count < stretchSize || edge === null)
    return { ...page, looked: null };
  const isNewer = request.from?.direction === "newer";
  return {
    ...page,
    ...(isNewer
      ? { prev: toCursor(list, "newer", edge) }
      : { next: toCursor(list, "older", edge) }),
    looked: count,
  };
}

/** What all that is meant sums to, or with `isMore` what it sums to at least, after so many rows were looked at. */
export async function sumCharges(
  database: Queryable,
  companyId: string,
  search: ChargeSearch,
  rowsMax = sumRowsMax,
): Promise<SearchSum & { readonly isMore: boolean }> {
  const sum = { count: 0, amount: 0, paid: 0, refunded: 0 };
  let from: PageRequest["from"];
  const size = Math.min(stretchSize, rowsMax);
  for (let seen = 0; seen < rowsMax; seen += size) {
    const stretch = { limit: size - 1, ...(from === undefined ? {} : { from }) };
    const part = await selectSum(database, companyId, search, stretch);
    sum.count += part.count;
    sum.amount += part.amount;
    sum.paid += part.paid;
    sum.refunded += part.refunded;
    if (part.looked < size || part.edge === null) return { ...sum, isMore: false };
    from = { direction: "older", id: part.edge };
  }
  return { ...sum, isMore: true };
}

/** All that is meant, newest first, some hundreds at a time: for an export. To be read once, as it is written. */
export async function* walkCharges(
  payments: Payments,
  companyId: string,
  search: ChargeSearch,
): AsyncGenerator<readonly Charge[]> {
  await dropFirst(payments, companyId, search);
  let from: PageRequest["from"];
  while (true) {
    const stretch = { limit: exportSize - 1, ...(from === undefined ? {} : { from }) };
    const { database } = payments;
    const looked = await selectLooked(database, companyId, search, stretch, exportSize);
    if (looked.found.length > 0) yield asTheyAre(payments, companyId, looked.found);
    if (looked.count < exportSize || looked.edge === null) return;
    from = { direction: "older", id: looked.edge };
  }
}

function passesOver({ amountMin, amountMax, msisdn }: ChargeSearch): boolean {
  return amountMin !== undefined || amountMax !== undefined || msisdn !== undefined;
}

/** What is overdue would be missing among what was dropped, if nobody has dropped it yet. */
async function dropFirst(
  payments: Payments,
  companyId: string,
  { status }: ChargeSearch,
): Promise<void> {
  if (status === "dropped") await expireSet(payments, companyId);
}
