import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";

/** What the transaction that ends a key takes at most between setting its end and writing the entry. */
const tolerance = "10 minutes";

/**
 * Which tokens work. A key exists because an entry of the trail says so, with the token that the entry names; it is revoked if
 * and only if an entry says so, and ends no later than what was said of it when another came in its place.
 */
export const keyChecks: readonly AuditCheck[] = [
  {
    name: "each key is one that was issued, with its own token, and each that was issued is there",
    count: (tx) => countOf(tx, sql`select count(*) as count from secret_keys`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'key ' || coalesce(t.subject, a.subject, s.subject) || ' of company '
            || coalesce(t.company_id, a.company_id, s.company_id) as "where",
          case when t.subject is null then 'an entry of the trail' else coalesce(t.token_hash, 'its token') end as expected,
          case when s.subject is null then 'no secret' else coalesce(a.token_hash, 'no token') end as found
        from (
          select company_id, subject, changes::jsonb #>> '{tokenHash,to}' as token_hash from company_trail
          where action = 'key.issued'
          union all
          select company_id, changes::jsonb #>> '{keyId,to}', changes::jsonb #>> '{tokenHash,to}' from company_trail
          where action = 'company.created' and changes::jsonb #>> '{keyId,to}' is not null
        ) t
        full join (
          select c.company_id, 'key_' || replace(k.key_id::text, '-', '') as subject, encode(k.token_hash, 'hex') as token_hash,
            k.created_at
          from access_tokens k join companies c on c.company_id = k.company_id
        ) a on a.company_id = t.company_id and a.subject = t.subject
        full join (
          select company_id, 'key_' || replace(key_id::text, '-', '') as subject, created_at from secret_keys
        ) s on s.company_id = coalesce(t.company_id, a.company_id) and s.subject = coalesce(t.subject, a.subject)
        where t.subject is null or a.subject is null or s.subject is null
          or coalesce(t.token_hash, a.token_hash) <> a.token_hash or a.created_at <> s.created_at
        limit ${differencesMax}`),
  },
  {
    name: "each key that was revoked is, and no other; token and secret end together",
    count: (tx) => countOf(tx, sql`select count(*) as count from secret_keys`),
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'key ' || k.subject || ' of company ' || k.company_id as "where",
          case when t.subject is null then 'not revoked' else 'revoked' end as expected,
          concat_ws(', ', 'token ' || coalesce('revoked at ' || k.token_revoked, 'not revoked'),
            'secret ' || coalesce('revoked at ' || k.secret_revoked, 'not revoked'), 'token until ' || k.token_expires,
            'secret until ' || k.secret_expires) as found
        from (
          select s.company_id, 'key_' || replace(s.key_id::text, '-', '') as subject, a.revoked_at as token_revoked,
            s.revoked_at as secret_revoked, a.expires_at as token_expires, s.expires_at as secret_expires
          from secret_keys s join access_tokens a on a.company_id = s.company_id and a.key_id = s.key_id
        ) k
        left join (
          select distinct company_id, subject from company_trail where action = 'key.revoked'
        ) t on t.company_id = k.company_id and t.subject = k.subject
        where (t.subject is null) <> (k.token_revoked is null) or k.token_revoked is distinct from k.secret_revoked
          or k.token_expires is distinct from k.secret_expires
        limit ${differencesMax}`),
  },
  {
    name: "each key ends when it was said to end",
    count: (tx) => countOf(tx, sql`select count(*) as count from secret_keys`),
    find: (tx) =>
      tx.query<Difference>(sql`
        with issued as (
          select company_id, subject, id, (changes::jsonb #>> '{overlapSeconds,to}')::integer as overlap from company_trail
          where action = 'key.issued'
          union all
          select company_id, changes::jsonb #>> '{keyId,to}', id, null from company_trail where action = 'company.created'
        ), ends as (
          select k.company_id, k.subject, time_of_id(t.id) + make_interval(secs => t.overlap) as ends_at
          from issued k
          join issued t on t.company_id = k.company_id and t.id > k.id and t.overlap is not null
          left join company_trail r on r.company_id = k.company_id and r.subject = k.subject and r.action = 'key.revoked'
          where r.id is null or r.id > t.id
          union all
          select company_id, changes::jsonb #>> '{replaces,to}', (changes::jsonb #>> '{until,to}')::timestamptz
          from company_trail where action = 'key.issued' and changes like '%"replaces"%'
        )
        select 'key ' || k.subject || ' of company ' || k.company_id as "where",
          coalesce('until ' || e.ends_at, 'without an end') as expected,
          coalesce('until ' || k.expires_at, 'without an end') as found
        from (
          select company_id, 'key_' || replace(key_id::text, '-', '') as subject, expires_at from secret_keys
        ) k
        left join (
          select company_id, subject, min(ends_at) as ends_at from ends group by company_id, subject
        ) e on e.company_id = k.company_id and e.subject = k.subject
        where (e.ends_at is null) <> (k.expires_at is null)
          or abs(extract(epoch from k.expires_at - e.ends_at)) > extract(epoch from ${tolerance}::interval)
        limit ${differencesMax}`),
  },
];
