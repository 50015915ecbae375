import type { Queryable } from "../database/database.ts";
import { parsePublicId } from "../kernel/ids.ts";
import { idRangeOf } from "../kernel/service-reference.ts";
import {
  type Place,
  selectBatchById,
  selectTransferById,
  selectTransfersByReference,
  selectTransfersInRange,
} from "./lookup-store.ts";

/**
 * The transfers of these companies that a text may mean: by id, by the company's reference, or by the reference that the
 * recipient sees. A reference can look like either of the others, so all are tried.
 */
export async function lookUpTransfers(
  database: Queryable,
  companyIds: readonly string[],
  text: string,
): Promise<Place[]> {
  const id = parsePublicId("txn", text);
  const range = idRangeOf(text);
  const found = [
    ...(id === undefined ? [] : await selectTransferById(database, companyIds, id)),
    ...(await selectTransfersByReference(database, companyIds, text)),
    ...(range === undefined ? [] : await selectTransfersInRange(database, companyIds, range)),
  ];
  return [...new Map(found.map((place) => [place.id, place])).values()];
}

export async function lookUpBatches(
  database: Queryable,
  companyIds: readonly string[],
  text: string,
): Promise<Place[]> {
  const id = parsePublicId("bat", text);
  return id === undefined ? [] : selectBatchById(database, companyIds, id);
}
