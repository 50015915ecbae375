import { sql } from "../../../src/database/sql.ts";
import type { Attack, Tool } from "../attack.ts";
import { forgetAudits, reseal, retrail } from "../craft.ts";
import { run } from "./rewrite.ts";

const audits: readonly Tool[] = ["audit", "audit --full"];
const always = (tools: readonly Tool[]) => ({ now: tools, later: tools });

/** Who did what, after it was sealed. */
export const trailAttacks: readonly Attack[] = [
  {
    name: "another person approved a payment that was paid: the approval, its entry in the audit log, and that log chained anew",
    forge: async ({ tx, companies: [one] }) => {
      await run(tx, ...changeDecider(one));
      await retrail(tx, { companyId: one });
      await forgetAudits(tx);
    },
    noticed: always(audits),
  },
  {
    name: "the same, and the seals name the new audit log",
    forge: async ({ tx, companies: [one] }) => {
      await run(tx, ...changeDecider(one));
      await retrail(tx, { companyId: one });
      await reseal(tx, one);
      await forgetAudits(tx);
    },
    noticed: always([...audits, "audit --seals", "verify"]),
  },
  {
    name: "a customer is better known than anybody said, in the customer book and its log; the daily entries of the installation name the new log, chained anew",
    forge: async ({ tx }) => {
      await run(
        tx,
        sql`update customers set kyc_status = 'complete' where kyc_status = 'pending'`,
        sql`update customer_trail set changes = replace(changes, '"pending"', '"complete"') where changes like '%"pending"%'`,
        sql`create temp table forged_before on commit drop as select number, hash from customer_trail where number is not null`,
      );
      await retrail(tx, "customers");
      await run(
        tx,
        sql`update installation_trail t set changes = replace(t.changes, encode(b.hash, 'hex'), encode(c.hash, 'hex'))
          from forged_before b join customer_trail c on c.number = b.number
          where t.action = 'trails.covered' and t.changes like '%' || encode(b.hash, 'hex') || '%'`,
      );
      await retrail(tx, "installation");
      await forgetAudits(tx);
    },
    noticed: always(audits),
  },
  {
    name: "a rule about what keys pay alone, said to hold since a sealed day: by an entry that is put into the audit log now and dated then, which the service chains and signs",
    forge: async ({ tx, companies: [one, two] }) => {
      await run(tx, ...backdateRule(one, two));
    },
    noticed: always(audits),
  },
  {
    name: "an operator's entry about the installation, put in now and dated into a sealed day",
    forge: async ({ tx }) => {
      await run(
        tx,
        sql`insert into installation_trail (id, operator, via, action, subject)
          select ordered_id((extract(epoch from time_of_id(min(id::text)::uuid)) * 1000)::bigint + 1000, 0, 7), 'root', 'backup',
            'backup.made', 'x'
          from installation_trail`,
      );
    },
    noticed: always(audits),
  },
];

/** The other approver of the company, of the same introducers. */
function changeDecider(companyId: string) {
  const other = sql`(select person_id from people where email = 'second@alpha.example')`;
  return [
    sql`update company_trail t set person_id = ${other}
      where t.company_id = ${companyId} and t.action = 'proposal.approved'`,
    sql`update approvals set decided_by = ${other} where company_id = ${companyId} and verdict = 'approved'`,
  ];
}

/** As another company's rule was said, a minute after this one was made. */
function backdateRule(companyId: string, otherId: string) {
  return [
    sql`insert into company_trail (company_id, id, operator, via, action, subject, changes)
      select f.company_id, ordered_id((extract(epoch from time_of_id(f.id)) * 1000)::bigint + 60000, 0, 7), t.operator, t.via,
        t.action, f.subject, regexp_replace(t.changes, '"to":\\d+', '"to":99000000')
      from (select * from company_trail where company_id = ${companyId} and action = 'company.changed'
          and changes like '%keysAloneMax%' order by id desc limit 1) t,
        (select * from company_trail where company_id = ${otherId} order by id limit 1) f`,
    sql`update books set keys_alone_max = 99000000 where company_id = ${otherId}`,
  ];
}
