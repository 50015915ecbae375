import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { digestOfCredentials } from "./credentials-digest-store.ts";

/** What the entry of a sign-in may lie before its session: they are written in one transaction. */
const minutesApartMax = 1;
/** Nothing older opens a door: see sessions-store.ts. */
const sessionHours = 12;

/** Nobody signs in with anything but what the person has set, and no session is there that nobody has opened. */
export const credentialChecks: readonly AuditCheck[] = [
  {
    name: "each person signs in with what was set last: password, second factor, recovery codes and passkeys",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from people`),
    // People of earlier releases have no entry until something of it changes.
    find: (tx) =>
      tx.query<Difference>(sql`
        select p.email as "where", t.digest as expected, ${digestOfCredentials} as found
        from people p
        join (
          select distinct on (person_id) person_id, changes::jsonb #>> '{digest,to}' as digest from staff_trail
          where action = 'person.credentials_set' order by person_id, id desc
        ) t on t.person_id = p.person_id
        where t.digest is distinct from ${digestOfCredentials}
        limit ${differencesMax}`),
  },
  {
    name: "as many recovery codes are used up as the trail says",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from recovery_codes`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select p.email as "where", coalesce(t.used, 0)::text as expected, coalesce(c.used, 0)::text as found
        from people p
        left join (
          select person_id, count(*) filter (where used_at is not null) as used from recovery_codes group by person_id
        ) c on c.person_id = p.person_id
        left join (
          select u.person_id, count(*) as used
          from staff_trail u
          left join (
            select person_id, max(id::text)::uuid as id from staff_trail
            where action in ('person.second_factor_set', 'person.reset') group by person_id
          ) s on s.person_id = u.person_id
          where u.action = 'person.recovery_code_used' and (s.id is null or u.id > s.id)
          group by u.person_id
        ) t on t.person_id = p.person_id
        where coalesce(t.used, 0) <> coalesce(c.used, 0)
        limit ${differencesMax}`),
  },
  {
    name: "each session at the console began with a sign-in",
    of: "people",
    count: (tx) => countOf(tx, sql`select count(*) as count from staff_sessions`),
    // One whose second factor is missing opens nothing, and has no entry. An entry never comes before an earlier one, so after the
    // clock was set back it is dated later than its session.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'session ' || s.session_id || ' of ' || coalesce(p.email, 'nobody') as "where",
          'an entry of a sign-in from ' || s.address as expected, 'none' as found
        from staff_sessions s
        left join people p on p.person_id = s.person_id
        left join staff_trail t on t.person_id = s.person_id and t.by_person = s.person_id and t.address = s.address
          and t.action in ('person.signed_in', 'person.joined')
          and time_of_id(t.id) >= s.created_at - make_interval(mins => ${minutesApartMax})
        where s.is_open and s.created_at > now() - make_interval(hours => ${sessionHours}) and t.id is null
        limit ${differencesMax}`),
  },
];
