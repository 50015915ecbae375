import { sql } from "../../../src/database/sql.ts";
import { newUuid, toPublicId } from "../../../src/kernel/ids.ts";
import { fund } from "../../../src/ledger/post.ts";
import { operator } from "../../../src/trail/actor.ts";
import { recordForCompany } from "../../../src/trail/record.ts";
import type { Attack } from "../attack.ts";
import { forgetAudits, unchain, untellSeals } from "../craft.ts";
import { changeRecipient, run } from "./rewrite.ts";

const hourMs = 3_600_000;

/** Another history as a whole, which agrees with itself: only what was kept outside tells it from the true one. */
export const historyAttacks: readonly Attack[] = [
  {
    name: "the last sealed day is gone: the database of the day before, from a backup",
    onFirstDay: true,
    forge: async () => {},
    noticed: { now: ["audit --seals"], later: ["audit --seals", "verify"] },
  },
  {
    name: "the database of the day before goes on with another history, which the service seals",
    onFirstDay: true,
    forge: async ({ tx, companies: [one] }) => {
      const amount = 12_340;
      const id = newUuid(Date.now() - hourMs);
      await fund(tx, one, { id, amount, reference: "bank 2", memo: null });
      await recordForCompany(tx, one, operator("root"), {
        action: "company.funded",
        subject: toPublicId("com", one),
        to: { amount, reference: "bank 2" },
      });
    },
    noticed: { now: ["audit --seals", "verify"], later: ["audit --seals", "verify"] },
  },
  {
    name: "a sealed recipient is changed, and all seals, what was told of them, the places in the audit logs and the audits are taken away: the service seals it all anew",
    forge: async ({ tx, companies }) => {
      const [one] = companies;
      await changeRecipient(tx, one);
      const all = await tx.query<{ id: string }>(sql`select company_id as id from companies`);
      for (const { id } of all) {
        await unchain(tx, { companyId: id });
        await untellSeals(tx, id);
        await run(tx, sql`drop table forged_numbers`);
      }
      for (const trail of ["staff", "customers", "installation"] as const) await unchain(tx, trail);
      await run(
        tx,
        sql`delete from installation_trail where action = 'trails.covered'`,
        sql`delete from day_totals`,
        sql`delete from seals`,
        sql`update statement_progress set sealed_to = 0, seal_after = '-infinity'`,
      );
      await forgetAudits(tx);
    },
    noticed: { now: ["audit --seals", "verify"], later: ["audit --seals", "verify"] },
  },
  {
    name: "a company is gone, with all that it ever did, what its payments left in wallets, and the audits",
    reader: 1,
    forge: async ({ tx, companies: [, two] }) => {
      await run(
        tx,
        sql`update wallets w set balance = w.balance - e.amount from (
            select msisdn, sum(amount) as amount from wallet_entries where company_id = ${two} group by msisdn) e
          where e.msisdn = w.msisdn`,
      );
      const tables = await tx.query<{ name: string }>(sql`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
      for (const { name } of tables)
        await run(tx, { text: `delete from ${name} where company_id = $1`, values: [two] });
      await forgetAudits(tx);
    },
    noticed: { now: ["audit --seals", "verify"], later: ["audit --seals", "verify"] },
  },
];
