import { type Query, sql } from "../database/sql.ts";

/**
 * What a checkpoint keeps of things that change after it. The next audit works out how they stood then, from how they stand now and
 * from what came since, and must arrive at the same digest.
 */

/** Of transfers `t` that were pending, in one group. */
export const digestOfTransfers = digestOf(
  sql`jsonb_build_array(t.id, t.batch_id, t.sub_company_id, t.amount, t.fee, t.msisdn, t.reference, t.description, t.metadata)`,
  sql`t.id`,
);

/** Of charges `c` that were due, in one group. */
export const digestOfCharges = digestOf(
  sql`jsonb_build_array(c.id, c.external_id, c.amount, c.fee, c.fee_rate_ppm, c.sub_company_id, c.description, c.metadata,
    extract(epoch from c.expires_at))`,
  sql`c.id`,
);

/** Of wallets that hold something, given as rows of msisdn and balance. In pieces, because there may be millions. */
export function digestOfWallets(wallets: Query): Query {
  return sql`(
    select ${digestOf(sql`g.digest`, sql`g.prefix collate "C"`)} from (
      select left(w.msisdn, -4) as prefix,
        ${digestOf(sql`w.msisdn || ' ' || w.balance`, sql`w.msisdn collate "C"`)} as digest
      from ${wallets} w where w.balance <> 0 group by 1
    ) g)`;
}

function digestOf(line: Query, order: Query): Query {
  return sql`encode(sha256(convert_to(string_agg((${line})::text, chr(10) order by ${order}), 'UTF8')), 'hex')`;
}
