import { sql } from "../../../src/database/sql.ts";
import type { Attack } from "../attack.ts";
import { forgetAudits, rechain, reseal } from "../craft.ts";
import { changeFunding, changeRecipient, eraseTransfer, run } from "./rewrite.ts";

const always = (...tools: Attack["noticed"]["now"]): Attack["noticed"] => ({
  now: tools,
  later: tools,
});

/** What was posted on a day that is sealed. */
export const postingAttacks: readonly Attack[] = [
  {
    name: "the recipient of a sealed transfer, in the transfer, its wallets and their entries; the chain made anew",
    forge: ({ tx, companies: [one] }) => changeRecipient(tx, one),
    noticed: always("audit", "audit --full", "verify"),
  },
  {
    name: "the same, and the seals name the new hashes",
    forge: async ({ tx, companies: [one] }) => {
      await changeRecipient(tx, one);
      await reseal(tx, one);
    },
    noticed: always("audit", "audit --full", "audit --seals", "verify"),
  },
  {
    name: "the same, and no audit has ever looked",
    forge: async ({ tx, companies: [one] }) => {
      await changeRecipient(tx, one);
      await reseal(tx, one);
      await forgetAudits(tx);
    },
    noticed: always("audit", "audit --full", "audit --seals", "verify"),
  },
  {
    name: "the amount of a sealed funding, with its entry in the audit log and every balance and sum after it; chains and seals made anew",
    forge: async ({ tx, companies: [one] }) => {
      await changeFunding(tx, one);
      await reseal(tx, one);
      await forgetAudits(tx);
    },
    noticed: always("audit", "audit --full", "audit --seals", "verify"),
  },
  {
    name: "the reference of a sealed transfer; the chain made anew",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`update transfers set reference = 'rent' || reference where company_id = ${one} and reference = 'person'`,
      );
      await rechain(tx, one);
    },
    noticed: always("audit", "audit --full", "verify"),
  },
  {
    name: "the time of a sealed funding, a few milliseconds earlier so that all stays in order; the chain made anew",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`create temp table forged_time on commit drop as
          select p.number, p.subject_id, b.created_at + interval '1 millisecond' as at from postings p
          join fundings f on f.company_id = p.company_id and f.id = p.subject_id and f.reference = 'bank 1'
          join postings b on b.company_id = p.company_id and b.number = p.number - 1
          where p.company_id = ${one} and p.created_at > b.created_at + interval '1 millisecond'`,
        sql`update postings p set created_at = t.at from forged_time t where p.company_id = ${one} and p.number = t.number`,
        sql`update fundings f set created_at = t.at from forged_time t where f.company_id = ${one} and f.id = t.subject_id`,
      );
      await rechain(tx, one);
    },
    noticed: always("audit", "audit --full", "verify"),
  },
  {
    name: "a sealed transfer that failed is erased with its postings and events, numbers are closed up, chain, sums and seals made anew",
    forge: async ({ tx, companies: [one] }) => {
      await eraseTransfer(tx, one);
      await forgetAudits(tx);
    },
    noticed: always("audit", "audit --full", "audit --seals", "verify"),
  },
];
