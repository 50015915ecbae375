import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import {
  browsersPerChargeMax,
  type Checkout,
  type Notice,
  type NoticeKind,
  sendsPerChargeMax,
} from "./checkout.ts";

/** Whose page it is. */
export interface CheckoutKey {
  readonly companyId: string;
  readonly chargeId: string;
}

interface CheckoutRow {
  readonly msisdn: string | null;
  readonly attempts_before: number;
  readonly notice: NoticeKind | null;
  readonly notice_seconds: number | null;
}

/** One browser on that page. */
export interface CheckoutBrowser extends CheckoutKey {
  readonly browser: Buffer;
}

export async function selectCheckout(
  database: Queryable,
  { companyId, chargeId, browser }: CheckoutBrowser,
): Promise<Checkout | undefined> {
  const rows = await database.query<CheckoutRow>(sql`
    select msisdn, attempts_before, notice,
      ceil(extract(epoch from notice_until - now()))::int as notice_seconds
    from checkout_browsers
    where company_id = ${companyId} and charge_id = ${chargeId} and browser_hash = ${browser}`);
  return rows[0] && toCheckout(rows[0]);
}

function toCheckout(row: CheckoutRow): Checkout {
  const seconds = row.notice_seconds ?? 0;
  return {
    msisdn: row.msisdn ?? undefined,
    attemptsBefore: row.attempts_before,
    notice: row.notice === null || seconds <= 0 ? undefined : { kind: row.notice, seconds },
  };
}

/** Counts a send before it is made; false when the link has used up its sends. Holds the link's row until the commit. */
export async function takeSend(tx: Tx, { companyId, chargeId }: CheckoutKey): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into checkouts as c (company_id, charge_id, sends)
    values (${companyId}, ${chargeId}, 1)
    on conflict (company_id, charge_id) do update set sends = c.sends + 1
      where c.sends < ${sendsPerChargeMax}
    returning c.sends`);
  return rows.length === 1;
}

/** What the page says to a browser that was refused a code and has no other one in hand. */
const refusedNotices = ["charge", "phone", "busy", "abroad", "unsent"];

/**
 * Makes the place where a browser stands. On a link that many browsers have used, the one that was refused a code longest
 * ago goes for it: whoever has the link could otherwise keep the payer out by opening it often. False when nobody can
 * go, because all of them were sent a code or are about to be. After takeSend.
 */
export async function openBrowser(
  tx: Tx,
  { companyId, chargeId, browser }: CheckoutBrowser,
): Promise<boolean> {
  const rows = await tx.query<{ is_known: boolean; browsers: number }>(sql`
    select coalesce(bool_or(browser_hash = ${browser}), false) as is_known, count(*)::integer as browsers
    from checkout_browsers where company_id = ${companyId} and charge_id = ${chargeId}`);
  const found = rows[0];
  if (found?.is_known === true) return true;
  if ((found?.browsers ?? 0) >= browsersPerChargeMax) {
    const gone = await tx.query(sql`
      delete from checkout_browsers
      where company_id = ${companyId} and charge_id = ${chargeId} and browser_hash = (
        select browser_hash from checkout_browsers
        where company_id = ${companyId} and charge_id = ${chargeId} and notice = any(${refusedNotices})
        order by updated_at limit 1)
      returning 1`);
    if (gone.length === 0) return false;
  }
  await tx.query(sql`
    insert into checkout_browsers (company_id, charge_id, browser_hash)
    values (${companyId}, ${chargeId}, ${browser})
    on conflict (company_id, charge_id, browser_hash) do nothing`);
  return true;
}

export async function giveSendBack(
  database: Database,
  { companyId, chargeId }: CheckoutKey,
): Promise<void> {
  await database.execute(sql`
    update checkouts set sends = sends - 1
    where company_id = ${companyId} and charge_id = ${chargeId} and sends > 0`);
}

/** Notes that a code was sent to this phone, and clears the notice about earlier sends. */
export async function noteSent(
  database: Database,
  { companyId, chargeId, browser }: CheckoutBrowser,
  msisdn: string,
  attempts: number,
): Promise<void> {
  await database.execute(sql`
    update checkout_browsers set msisdn = ${msisdn}, attempts_before = ${attempts}, notice = null,
      notice_until = null, updated_at = now()
    where company_id = ${companyId} and charge_id = ${chargeId} and browser_hash = ${browser}`);
}

/** Notes what the page has to say. The phone in use stays the same unless another is given. */
export async function noteNotice(
  database: Database,
  { companyId, chargeId, browser }: CheckoutBrowser,
  { kind, seconds }: Notice,
  msisdn?: string,
): Promise<void> {
  await database.execute(sql`
    update checkout_browsers set msisdn = coalesce(${msisdn ?? null}, msisdn), notice = ${kind},
      notice_until = now() + make_interval(secs => ${seconds}), updated_at = now()
    where company_id = ${companyId} and charge_id = ${chargeId} and browser_hash = ${browser}`);
}

/** Forgets the phone, so that the payer can give another one; the count of sends goes on. */
export async function clearPhone(
  database: Database,
  { companyId, chargeId, browser }: CheckoutBrowser,
  attempts: number,
): Promise<void> {
  await database.execute(sql`
    update checkout_browsers set msisdn = null, attempts_before = ${attempts}, notice = null,
      notice_until = null, updated_at = now()
    where company_id = ${companyId} and charge_id = ${chargeId} and browser_hash = ${browser}`);
}

const deletedAtOnceMax = 1_000;

/** A bounded number; true when there may be more. */
export async function deleteOldCheckouts(database: Database, companyId: string): Promise<boolean> {
  const browsers = await database.execute(sql`
    delete from checkout_browsers
    where company_id = ${companyId} and (charge_id, browser_hash) in (
      select charge_id, browser_hash from checkout_browsers
      where company_id = ${companyId} and updated_at < now() - interval '30 days'
        and updated_at > '-infinity'
      order by updated_at limit ${deletedAtOnceMax})
    returning charge_id`);
  const checkouts = await database.execute(sql`
    delete from checkouts where company_id = ${companyId} and charge_id in (
      select charge_id from checkouts
      where company_id = ${companyId} and updated_at < now() - interval '30 days'
        and updated_at > '-infinity'
      order by updated_at limit ${deletedAtOnceMax})
    returning charge_id`);
  return browsers.length === deletedAtOnceMax || checkouts.length === deletedAtOnceMax;
}
