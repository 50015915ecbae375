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
          t.changes::jsonb #>> '{count,to}' || ' with the digest ' || (t.changes::jsonb #>> '{digest,to}') as expected,
          c.count || ' with the digest ' || coalesce(c.digest, 'of none') as found
        from (
          select company_id, number, changes, upto,
            coalesce(lag(upto) over (partition by company_id order by id), ${noCharge}) as after
          from (
            select company_id, id, number, changes, substring(subject from ${uuidShape.source})::uuid as upto
            from company_trail where action = 'charges.bound'
          ) i
        ) t
        left join ${opening} o on o.company_id = t.company_id
        cross join lateral (
          select count(*) as count, ${digestOfTerms} as digest from charges c
          where c.company_id = t.company_id and c.id > t.after and c.id <= t.upto
        ) c
        where coalesce(t.number > o.trail_number, true)
          and (c.count::text is distinct from t.changes::jsonb #>> '{count,to}'
            or c.digest is distinct from t.changes::jsonb #>> '{digest,to}')
        limit ${differencesMax}`),
  },
];
