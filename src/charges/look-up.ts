import type { Queryable } from "../database/database.ts";
import { parseUuid } from "../kernel/ids.ts";
import { type Page, type PageRequest, toPage } from "../kernel/page.ts";
import type { Charge } from "./charge.ts";
import { ChargeNotFound } from "./errors.ts";
import { type ChargePlace, selectChargeById, selectChargesByExternalId } from "./lookup-store.ts";
import { type ChargeFilter, selectCharge, selectChargePage } from "./store.ts";

/** The charges of these companies that a text may mean: by id, or by the company's own id. */
export async function lookUpCharges(
  database: Queryable,
  companyIds: readonly string[],
  text: string,
): Promise<ChargePlace[]> {
  const id = parseUuid(text);
  const found = [
    ...(id === undefined ? [] : await selectChargeById(database, companyIds, id)),
    ...(await selectChargesByExternalId(database, companyIds, text)),
  ];
  return [...new Map(found.map((place) => [place.id, place])).values()];
}

/** As the database has it: whoever only looks drops nothing whose time is over. */
export async function getStoredCharge(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<{ readonly charge: Charge; readonly isOverdue: boolean }> {
  const read = await selectCharge(database, companyId, id);
  if (read === undefined) throw new ChargeNotFound();
  return read;
}

/** The same for a page of charges. */
export async function listStoredCharges(
  database: Queryable,
  companyId: string,
  filter: ChargeFilter,
  request: PageRequest,
): Promise<Page<Charge>> {
  const read = await selectChargePage(database, companyId, filter, request);
  return toPage(
    { name: "charges", companyId },
    request,
    read.map(({ charge }) => charge),
  );
}
