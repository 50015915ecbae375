import { sql } from "../../../src/database/sql.ts";
import type { Attack, Tool } from "../attack.ts";
import { forgetAudits, retell, sealsOf, untellSeals } from "../craft.ts";
import { run } from "./rewrite.ts";

const everybody: readonly Tool[] = ["audit", "audit --full", "audit --seals", "verify"];
/** An audit that continues looks at seals after the checkpoint. */
const notAudit = everybody.filter((tool) => tool !== "audit");

/** What the seals themselves say, with the signatures that there are. */
export const sealAttacks: readonly Attack[] = [
  {
    name: "the first seal bears an earlier day",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`update day_totals set day = day - 1 where company_id = ${one} and day = (select min(day) from seals where company_id = ${one})`,
        sql`update seals set day = day - 1, until = until - interval '1 day'
          where company_id = ${one} and day = (select min(day) from seals where company_id = ${one})`,
        sql`update event_runs e set payloads = array[replace(e.payloads[1], to_char(s.day + 1, 'YYYY-MM-DD'), to_char(s.day, 'YYYY-MM-DD'))]
          from (select min(day) as day from seals where company_id = ${one}) s
          where e.company_id = ${one} and e.topic::text = 'statements/sealed' and e.payloads[1] like '%' || to_char(s.day + 1, '"day\\":\\"YYYY-MM-DD"') || '%'`,
      );
      await retell(tx, one);
    },
    noticed: { now: notAudit, later: notAudit },
  },
  {
    name: "two sealed days change places",
    forge: async ({ tx, companies: [one] }) => {
      await run(
        tx,
        sql`create temp table forged_days on commit drop as
          select day, until, lead(day) over w as other, lead(until) over w as other_until from seals
          where company_id = ${one} window w as (order by day)`,
        sql`update seals s set day = '4000-01-01' from (select day from forged_days order by day limit 1) d
          where company_id = ${one} and s.day = d.day`,
        sql`update seals s set (day, until) = (d.day, d.until) from (select * from forged_days order by day limit 1) d
          where company_id = ${one} and s.day = d.other`,
        sql`update seals s set (day, until) = (d.other, d.other_until) from (select * from forged_days order by day limit 1) d
          where company_id = ${one} and s.day = '4000-01-01'`,
      );
      await retell(tx, one);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "the seal of one company stands in another's place",
    forge: async ({ tx, companies: [one, two] }) => {
      await run(
        tx,
        sql`update seals s set (hash, key_id, signature, balance, trail_number, trail_hash, installation_number, installation_hash)
            = (o.hash, o.key_id, o.signature, o.balance, o.trail_number, o.trail_hash, o.installation_number, o.installation_hash)
          from seals o where s.company_id = ${one} and o.company_id = ${two} and o.day = s.day
            and s.day = (select max(day) from seals where company_id = ${one})`,
      );
      await retell(tx, one);
    },
    noticed: { now: everybody, later: everybody },
  },
  {
    name: "a day's seal is taken away with its sums and what was told of it, and no audit has ever looked",
    forge: async ({ tx, companies: [one] }) => {
      const [first] = await sealsOf(tx, one);
      await untellSeals(tx, one, first?.day);
      await run(
        tx,
        sql`delete from day_totals where company_id = ${one} and day = ${first?.day ?? null}::date`,
        sql`delete from seals where company_id = ${one} and day = ${first?.day ?? null}::date`,
      );
      await forgetAudits(tx);
    },
    noticed: { now: ["audit --seals"], later: ["audit --seals"] },
  },
];
