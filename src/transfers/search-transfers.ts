import type { Queryable } from "../database/database.ts";
import { type Page, type PageRequest, toCursor, toPage } from "../kernel/page.ts";
import { type SearchSum, selectLooked, selectSum, type TransferSearch } from "./search-store.ts";
import { selectTransferPage } from "./store.ts";
import type { Transfer } from "./transfer.ts";

export type { SearchSum, TransferSearch } from "./search-store.ts";

/** Rows that one statement looks at. */
const stretchSize = 1_000;
/** Rows that a sum looks at; beyond them it says how much it is at least. */
export const sumRowsMax = 10_000;

/** A page of what was found. Where rows had to be passed over, it may have fewer than it could, and more behind it. */
export interface SearchPage extends Page<Transfer> {
  /** So many rows were looked at without finding enough; null: the page is as full as it can be. */
  readonly looked: number | null;
}

/**
 * A page of the transfers that are meant, newest first. Amounts and reasons have no index: what an index leads to is looked
 * at, a thousand rows for a page and never more. A page that comes to its end before it is full leads on from there, so
 * that the millionth row costs what the first costs.
 */
export async function searchTransfers(
  database: Queryable,
  companyId: string,
  search: TransferSearch,
  request: PageRequest,
): Promise<SearchPage> {
  const list = { name: "transactions", companyId };
  if (isContradictory(search))
    return { ...toPage(list, { limit: request.limit }, []), looked: null };
  if (!passesOver(search)) {
    const rows = await selectTransferPage(database, companyId, search, request);
    return { ...toPage(list, request, rows), looked: null };
  }
  const wanted = request.limit + 1;
  const stretch = { ...request, limit: stretchSize - 1 };
  const narrow = narrowed(search);
  const { found, count, edge } = await selectLooked(database, companyId, narrow, stretch, wanted);
  const page = toPage(list, request, found);
  const isFull = found.length === wanted;
  if (isFull || count < stretchSize || edge === null) return { ...page, looked: null };
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
export async function sumTransfers(
  database: Queryable,
  companyId: string,
  search: TransferSearch,
  rowsMax = sumRowsMax,
): Promise<SearchSum & { readonly isMore: boolean }> {
  const sum = { count: 0, amount: 0, fee: 0 };
  if (isContradictory(search)) return { ...sum, isMore: false };
  let from: PageRequest["from"];
  const size = Math.min(stretchSize, rowsMax);
  for (let seen = 0; seen < rowsMax; seen += size) {
    const stretch = { limit: size - 1, ...(from === undefined ? {} : { from }) };
    const part = await selectSum(database, companyId, narrowed(search), stretch);
    sum.count += part.count;
    sum.amount += part.amount;
    sum.fee += part.fee;
    if (part.looked < size || part.edge === null) return { ...sum, isMore: false };
    from = { direction: "older", id: part.edge };
  }
  return { ...sum, isMore: true };
}

/** All that is meant, newest first, some hundreds at a time: for an export. To be read once, as it is written. */
export async function* walkTransfers(
  database: Queryable,
  companyId: string,
  search: TransferSearch,
): AsyncGenerator<readonly Transfer[]> {
  if (isContradictory(search)) return;
  let from: PageRequest["from"];
  while (true) {
    const stretch = { limit: exportSize - 1, ...(from === undefined ? {} : { from }) };
    const looked = await selectLooked(database, companyId, narrowed(search), stretch, exportSize);
    if (looked.found.length > 0) yield looked.found;
    if (looked.count < exportSize || looked.edge === null) return;
    from = { direction: "older", id: looked.edge };
  }
}

/** So few that they are garbage before they are old. */
const exportSize = 250;

function passesOver({ amountMin, amountMax, failureReason }: TransferSearch): boolean {
  return amountMin !== undefined || amountMax !== undefined || failureReason !== undefined;
}

/** Only what failed has a reason: its index leads there. */
function narrowed(search: TransferSearch): TransferSearch {
  return search.failureReason === undefined ? search : { ...search, status: "failed" };
}

function isContradictory({ failureReason, status = "failed" }: TransferSearch): boolean {
  return failureReason !== undefined && status !== "failed";
}
