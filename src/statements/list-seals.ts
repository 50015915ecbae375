import { eachCompany } from "../companies/list-companies.ts";
import type { Database, Queryable } from "../database/database.ts";
import { type ListKey, type Page, type PageRequest, toPage } from "../kernel/page.ts";
import { type KeptSeal, selectLastSeal, selectSealPage } from "./seals-store.ts";

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

export interface LastSeal {
  readonly companyName: string;
  readonly seal: KeptSeal;
}

/** The newest seal of each company that has one. */
export async function lastSeals(database: Database): Promise<LastSeal[]> {
  const found: LastSeal[] = [];
  for await (const { id, name } of eachCompany(database)) {
    const seal = await selectLastSeal(database, id);
    if (seal !== undefined) found.push({ companyName: name, seal });
  }
  return found;
}
