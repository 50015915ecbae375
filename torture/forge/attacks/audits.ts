import { sql } from "../../../src/database/sql.ts";
import type { Attack, Insider, Tool } from "../attack.ts";
import { accomplice, changeRecipient, run } from "./rewrite.ts";

/** The last checkpoint is of the books as they were changed, as if an audit had seen them so. */
async function moveCheckpoint({ tx, companies: [one] }: Insider): Promise<void> {
  await run(
    tx,
    sql`create temp table forged_books on commit drop as
      select p.number, encode(p.chain, 'hex') as chain from postings p, audit_checkpoints c, jsonb_to_recordset(c.content::jsonb -> 'books')
        as k(company_id uuid, posting bigint)
      where k.company_id = ${one} and p.company_id = ${one} and p.number = k.posting
        and c.audit_number = (select max(audit_number) from audit_checkpoints)`,
    sql`update audit_checkpoints c set content = replace(c.content, substr(k.chain, 3), b.chain)
      from forged_books b, (
        select a.audit_number, x.chain from audit_checkpoints a
        cross join lateral jsonb_to_recordset(a.content::jsonb -> 'books') as x(company_id uuid, chain text)
        where x.company_id = ${one} order by a.audit_number desc limit 1) k
      where c.audit_number = k.audit_number`,
  );
}

const withoutChain: readonly Tool[] = ["audit --full", "verify"];

/** What audits have left, so that the next one passes a forgery by. */
export const auditAttacks: readonly Attack[] = [
  {
    name: "the reference of a sealed transfer; the chain left as it is, so that an audit that continues passes it by; and the result of a whole audit that found nothing",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`update transfers set reference = 'rent' || reference where company_id = ${one} and reference = 'person'`,
        sql`insert into audits select max(number) + 1, now(), now(), true, 0, '{}', 'root' from audits`,
      );
    },
    noticed: { now: withoutChain, later: withoutChain },
  },
  {
    name: "the recipient, the chain made anew, and the checkpoint of the last audit names the new one",
    forge: async (insider) => {
      await changeRecipient(insider.tx, insider.companies[0]);
      await moveCheckpoint(insider);
    },
    noticed: {
      now: ["audit", "audit --full", "verify"],
      later: ["audit", "audit --full", "verify"],
    },
  },
  {
    name: "a checkpoint that the insider signs",
    forge: async ({ tx, own, companies: [one] }) => {
      await changeRecipient(tx, one);
      await run(
        tx,
        sql`update audit_checkpoints set key_id = ${own.id}, signature = ${own.sign("cauri audit checkpoint 1")}`,
      );
    },
    noticed: {
      now: ["audit", "audit --full", "verify"],
      later: ["audit", "audit --full", "verify"],
    },
  },
  {
    name: "what wallets hold, from one to another, by entries under an old time that name a payment that was made",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`insert into wallets (msisdn) values (${accomplice}) on conflict do nothing`,
        sql`update wallets set balance = balance - 1000 where msisdn = '2250711111111'`,
        sql`update wallets set balance = balance + 1000 where msisdn = ${accomplice}`,
        sql`insert into wallet_entries (msisdn, subject_id, event, amount, company_id, created_at, company_name)
          select v.msisdn, t.id, 'transfer.completed', v.amount, t.company_id, now() - interval '30 hours', 'Alpha'
          from (select * from transfers where company_id = ${one} and reference = 'many-1') t,
            (values ('2250711111111', -1000), (${accomplice}, 1000)) as v(msisdn, amount)`,
        sql`insert into audits select max(number) + 1, now(), now(), true, 0, '{}', 'root' from audits`,
      );
    },
    noticed: { now: ["audit", "audit --full"], later: ["audit", "audit --full"] },
  },
];
