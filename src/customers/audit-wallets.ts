import { sql } from "../database/sql.ts";
import { type AuditCheck, type Difference, differencesMax } from "../ledger/audit.ts";

export const walletChecks: readonly AuditCheck[] = [
  {
    name: "each wallet is the sum of its entries",
    count: async (tx) =>
      (await tx.query<{ count: number }>(sql`select count(*) as count from wallets`))[0]?.count ??
      0,
    // Phone numbers are masked: an audit is read by people and kept in logs.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'wallet ' || repeat('*', length(w.msisdn) - 2) || right(w.msisdn, 2) as "where",
          coalesce(e.balance, 0)::text as expected, w.balance::text as found
        from wallets w
        left join (select msisdn, sum(amount) as balance from wallet_entries group by msisdn) e
          on e.msisdn = w.msisdn
        where w.balance <> coalesce(e.balance, 0)
        limit ${differencesMax}`),
  },
  {
    name: "what companies paid out is what wallets hold",
    count: async (tx) =>
      (await tx.query<{ count: number }>(sql`select count(*) as count from wallet_entries`))[0]
        ?.count ?? 0,
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'all companies and all wallets' as "where", p.total::text as expected, w.total::text as found
        from (select coalesce(sum(paid_out), 0) as total from books) p,
          (select coalesce(sum(balance), 0) as total from wallets) w
        where p.total <> w.total`),
  },
];
