import type { Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { DatedPrice, Price } from "./price.ts";

/** The columns of a price, in companies and in prices. */
export interface PriceColumns {
  readonly transfer_fee_rate_ppm: number;
  readonly transfer_fee_flat: number;
  readonly transfer_fee_min: number;
  readonly transfer_fee_max: number | null;
  readonly transfer_amount_min: number;
  readonly transfer_amount_max: number;
  readonly charge_fee_rate_ppm: number;
  readonly charge_amount_min: number;
  readonly charge_amount_max: number;
}

export function toPrice(row: PriceColumns): Price {
  return {
    transferFee: {
      ratePpm: row.transfer_fee_rate_ppm,
      flat: row.transfer_fee_flat,
      min: row.transfer_fee_min,
      max: row.transfer_fee_max,
    },
    transferAmount: { min: row.transfer_amount_min, max: row.transfer_amount_max },
    chargeFeeRatePpm: row.charge_fee_rate_ppm,
    chargeAmount: { min: row.charge_amount_min, max: row.charge_amount_max },
  };
}

/** No charge has a lower id. */
const beforeAllCharges = "00000000-0000-0000-0000-000000000000";

/** What companies says now, for all that comes from here on; a number that is there already stays as it is. */
export async function insertPrice(
  tx: Tx,
  companyId: string,
  number: number,
  since: Date,
  holds: { readonly afterPosting: number; readonly afterCharge: string } = {
    afterPosting: 0,
    afterCharge: beforeAllCharges,
  },
): Promise<void> {
  await tx.query(sql`
    insert into prices as p (
      company_id, number, since, after_posting, after_charge, transfer_fee_rate_ppm, transfer_fee_flat,
      transfer_fee_min, transfer_fee_max, transfer_amount_min, transfer_amount_max, charge_fee_rate_ppm,
      charge_amount_min, charge_amount_max)
    select c.company_id, ${number}::integer, ${since}::timestamptz, ${holds.afterPosting}::bigint,
      ${holds.afterCharge}::uuid, c.transfer_fee_rate_ppm, c.transfer_fee_flat, c.transfer_fee_min, c.transfer_fee_max, c.transfer_amount_min, c.transfer_amount_max, c.charge_fee_rate_ppm, c.charge_amount_min,
      c.charge_amount_max
    from companies c where c.company_id = ${companyId}
    on conflict (company_id, number) do nothing`);
}

/** The company's lock: nothing is accepted at the price before any more. Answers the number of its last posting. */
export async function lockBooksForPrice(tx: Tx, companyId: string): Promise<number | undefined> {
  const rows = await tx.query<{ last_posting: number }>(sql`
    select last_posting from books where company_id = ${companyId} for update`);
  return rows[0]?.last_posting;
}

/** Puts another price in the place of the one that held. */
export async function updatePrice(
  tx: Tx,
  companyId: string,
  number: number,
  { transferFee: fee, transferAmount, chargeFeeRatePpm, chargeAmount }: Price,
): Promise<void> {
  await tx.query(sql`
    update companies set
      transfer_fee_rate_ppm = ${fee.ratePpm}, transfer_fee_flat = ${fee.flat}, transfer_fee_min = ${fee.min},
      transfer_fee_max = ${fee.max}, transfer_amount_min = ${transferAmount.min},
      transfer_amount_max = ${transferAmount.max}, charge_fee_rate_ppm = ${chargeFeeRatePpm},
      charge_amount_min = ${chargeAmount.min}, charge_amount_max = ${chargeAmount.max}
    where company_id = ${companyId}`);
  await tx.query(sql`update books set price = ${number} where company_id = ${companyId}`);
}

/** All that ever held, the newest first. */
export async function selectPrices(database: Queryable, companyId: string): Promise<DatedPrice[]> {
  const rows = await database.query<PriceColumns & { number: number; since: Date }>(sql`
    select * from prices where company_id = ${companyId} order by number desc`);
  return rows.map((row) => ({ ...toPrice(row), number: row.number, since: row.since }));
}
