import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

const allPrices = sql`select count(*) as count from prices`;

export const priceChecks: readonly AuditCheck[] = [
  {
    name: "each company has the price that was set last, and its prices are numbered without gaps",
    count: (tx) => countOf(tx, allPrices),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'company ' || b.company_id as "where",
          'price ' || b.price || ', and ' || b.price || ' prices in order' as expected,
          coalesce(p.count, 0) || ' prices' || case when l.number is null then ''
            else ', the last of them not as the company has it, or before the one before it' end as found
        from books b
        join companies c on c.company_id = b.company_id
        left join (
          select company_id, count(*) as count, max(number) as last from prices group by company_id
        ) p on p.company_id = b.company_id
        left join (
          select company_id, number, after_posting, after_charge, since,
            lag(after_posting, 1, 0::bigint) over w as posting_before, lag(after_charge, 1, after_charge) over w as charge_before,
            lag(since, 1, since) over w as since_before
          from prices window w as (partition by company_id order by number)
        ) l on l.company_id = b.company_id and (l.after_posting < l.posting_before or l.after_charge < l.charge_before
          or l.since < l.since_before or l.after_posting > b.last_posting
          or (l.number = 1 and l.since > greatest(c.created_at, now() + interval '1 minute'))
          or (l.number > 1 and abs(extract(epoch from
            l.since - greatest(l.since_before, time_of_id(l.after_charge)))) > 60))
        left join prices n on n.company_id = b.company_id and n.number = b.price
        where l.number is not null or coalesce(p.count, 1) <> b.price or coalesce(p.last, 1) <> b.price
          or (n.number is not null and (n.transfer_fee_rate_ppm, n.transfer_fee_flat, n.transfer_fee_min,
            n.transfer_fee_max, n.transfer_amount_min, n.transfer_amount_max, n.charge_fee_rate_ppm, n.charge_amount_min,
            n.charge_amount_max) is distinct from (c.transfer_fee_rate_ppm, c.transfer_fee_flat, c.transfer_fee_min,
            c.transfer_fee_max, c.transfer_amount_min, c.transfer_amount_max, c.charge_fee_rate_ppm, c.charge_amount_min,
            c.charge_amount_max))
        limit ${differencesMax}`),
  },
  {
    name: "each price is a company's, and the first of them holds from its first charge on or from one that there was",
    count: (tx) => countOf(tx, allPrices),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'price ' || p.number || ' of company ' || p.company_id as "where", 'a company, a charge' as expected,
          case when b.company_id is null then 'no company' else 'no charge ' || p.after_charge end as found
        from prices p
        left join books b on b.company_id = p.company_id
        -- Looked up price by price: charges are many.
        where b.company_id is null or (p.number = 1
          and (select c.id from charges c where c.company_id = p.company_id and c.id = p.after_charge) is null
          and p.after_charge <> '00000000-0000-0000-0000-000000000000')
        limit ${differencesMax}`),
  },
  {
    name: "each price was changed as the trail says",
    count: (tx) => countOf(tx, allPrices),
    // What the trail names went from the one value to the other; what it does not name stayed as it was.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'price ' || p.number || ' of company ' || p.company_id as "where",
          coalesce(t.changes::text, 'an entry of the trail') as expected, coalesce(d.found, 'none') as found
        from prices p
        join prices b on b.company_id = p.company_id and b.number = p.number - 1
        left join (
          select company_id, id, changes::jsonb as changes from company_trail where action = 'company.changed'
        ) t on t.company_id = p.company_id and (t.changes #>> '{price,to}')::integer = p.number
        left join lateral (
          select string_agg(v.field || ': ' || coalesce(v.before::text, 'none') || ' to ' || coalesce(v.after::text, 'none'), ', ')
            as found
          from (values
            ('transferFeeRatePpm', b.transfer_fee_rate_ppm::bigint, p.transfer_fee_rate_ppm::bigint),
            ('transferFeeFlat', b.transfer_fee_flat, p.transfer_fee_flat),
            ('transferFeeMin', b.transfer_fee_min, p.transfer_fee_min),
            ('transferFeeMax', b.transfer_fee_max, p.transfer_fee_max),
            ('transferAmountMin', b.transfer_amount_min, p.transfer_amount_min),
            ('transferAmountMax', b.transfer_amount_max, p.transfer_amount_max),
            ('chargeFeeRatePpm', b.charge_fee_rate_ppm, p.charge_fee_rate_ppm),
            ('chargeAmountMin', b.charge_amount_min, p.charge_amount_min),
            ('chargeAmountMax', b.charge_amount_max, p.charge_amount_max)
          ) as v(field, before, after)
          where v.before is distinct from
              case when t.changes ? v.field then (t.changes #>> array[v.field, 'from'])::bigint else v.before end
            or v.after is distinct from
              case when t.changes ? v.field then (t.changes #>> array[v.field, 'to'])::bigint else v.before end
        ) d on true
        where t.id is null or d.found is not null
        limit ${differencesMax}`),
  },
];
