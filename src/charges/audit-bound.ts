import { sql } from "../database/sql.ts";
import { uuidShape } from "../kernel/ids.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { digestOfTerms, noCharge } from "./bound-store.ts";

/** Charges against what was entered in the trail when they were new: see bind-charges.ts. */
export const boundChecks: readonly AuditCheck[] = [
  {
    name: "charges are what was bound: for whom, how much, until when, and none has come or gone since",
    count: (tx) =>
      countOf(tx, sql`select count(*) as count from company_trail where action = 'charges.bound'`),
    // Each entry stands for the charges after those of the one before it. One of before the checkpoint was looked at then.
    find: (tx, { opening }) =>
      tx.query<Difference>(sql`
        select 'charges of company ' || t.company_id || ' after ' || t.after || ' up to ' || coalesce(t.upto::text, 'nothing')
            as "where",
          t.bound || ' with the digest ' || t.digest as expected,
          count(c.id) || ' with the digest ' || case when count(c.id) = 0 then 'of none' else ${digestOfTerms} end as found
        from (
          select company_id, number, upto, changes::jsonb #>> '{count,to}' as bound, changes::jsonb #>> '{digest,to}' as digest,
            coalesce(lag(upto) over (partition by company_id order by id), ${noCharge}) as after
          from (
            select company_id, id, number, changes, substring(subject from ${uuidShape.source})::uuid as upto
            from company_trail where action = 'charges.bound'
          ) i
        ) t
        left join ${opening} o on o.company_id = t.company_id
        left join charges c on c.company_id = t.company_id and c.id > t.after and c.id <= t.upto
        where coalesce(t.number > o.trail_number, true)
        group by t.company_id, t.after, t.upto, t.bound, t.digest
        having count(c.id)::text is distinct from t.bound or ${digestOfTerms} is distinct from t.digest
        limit ${differencesMax}`),
  },
];
