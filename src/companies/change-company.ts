import type { Database, Queryable, Tx } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { nextId } from "../database/next-id.ts";
import { timeOfUuid, toPublicId } from "../kernel/ids.ts";
import { type Actor, operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import type { Fields } from "../trail/trail.ts";
import { type Company, type CompanyChange, companyIdPrefix } from "./company.ts";
import { CompanyNotFound } from "./errors.ts";
import { getCompany } from "./find-company.ts";
import { changedPrice, type DatedPrice, fieldsOfPrice, type PriceChange } from "./price.ts";
import { insertPrice, lockBooksForPrice, selectPrices, updatePrice } from "./prices-store.ts";
import { lockCompany, updateCompany } from "./store.ts";

/**
 * Changes what is given. A new price holds for what is accepted after it: whoever accepts a transfer holds the books,
 * whoever creates a charge holds the list of charges, and this takes both. Nodes remember a company for a while; the
 * caller tells them to forget it. Throws CrossedBounds.
 */
export async function changeCompany(
  database: Database,
  companyId: string,
  change: CompanyChange,
  by: Actor = operator(),
): Promise<Company> {
  return database.transaction(async (tx) => {
    // In the order of the locks: the list of charges, the books, the company.
    const hold = change.price === undefined ? undefined : await holdPrice(tx, companyId);
    if (!(await lockCompany(tx, companyId))) throw new CompanyNotFound(companyId);
    const before = await getCompany(tx, companyId);
    if (hold !== undefined && change.price !== undefined)
      await setPrice(tx, before, change.price, hold);
    await updateCompany(tx, companyId, change);
    const after = await getCompany(tx, companyId);
    const [from, to] = [fieldsOf(before), fieldsOf(after)];
    if (Object.keys(to).some((name) => from[name] !== to[name]))
      await recordForCompany(tx, companyId, by, {
        action: "company.changed",
        subject: toPublicId(companyIdPrefix, companyId),
        from,
        to,
      });
    return after;
  });
}

/** Every price that a company had, the newest first. */
export async function pricesOf(database: Queryable, companyId: string): Promise<DatedPrice[]> {
  return selectPrices(database, companyId);
}

interface PriceHold {
  readonly afterPosting: number;
  readonly afterCharge: string;
}

/** From here to the commit nothing of the company is accepted; what was accepted before lies before these marks. */
async function holdPrice(tx: Tx, companyId: string): Promise<PriceHold> {
  await getCompany(tx, companyId);
  const afterCharge = await nextId(tx, companyId, "charges");
  const afterPosting = await lockBooksForPrice(tx, companyId);
  if (afterPosting === undefined) throw new CompanyNotFound(companyId);
  return { afterPosting, afterCharge };
}

async function setPrice(
  tx: Tx,
  company: Company,
  change: PriceChange,
  hold: PriceHold,
): Promise<void> {
  const price = changedPrice(company, change);
  const [from, to] = [fieldsOfPrice(company), fieldsOfPrice(price)];
  if (Object.keys(to).every((name) => from[name] === to[name])) return;
  // A company that a node of the release before has made has no row of its first price yet.
  await insertPrice(tx, company.id, 1, company.createdAt);
  const number = company.priceNumber + 1;
  await updatePrice(tx, company.id, number, price);
  await insertPrice(tx, company.id, number, await nextSince(tx, company.id, hold), hold);
}

/** Now, but neither before the price before it nor before the charge it holds after: the clock may have been set back. */
async function nextSince(tx: Tx, companyId: string, { afterCharge }: PriceHold): Promise<Date> {
  const [last] = await selectPrices(tx, companyId);
  const now = await readDatabaseTime(tx);
  return new Date(Math.max(now.getTime(), last?.since.getTime() ?? 0, timeOfUuid(afterCharge)));
}

function fieldsOf(company: Company): Fields {
  return {
    name: company.name,
    country: company.country,
    timeZone: company.timeZone,
    price: company.priceNumber,
    ...fieldsOfPrice(company),
  };
}
