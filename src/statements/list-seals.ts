import type { Queryable } from "../database/database.ts";
import { type ListKey, type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { type KeptSeal, selectSealPage } from "./seals-store.ts";

/** Newest first. */
export async function listSeals(
  database: Queryable,
  list: ListKey & { readonly companyId: string },
  page: PageRequest,
): Promise<Page<KeptSeal>> {
  const found = await selectSealPage(database, list.companyId, page);
  return toPage(
    list,
    page,
    found.map((seal) => ({ ...seal, id: seal.day })),
  );
}
