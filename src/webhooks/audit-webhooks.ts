import { sql } from "../database/sql.ts";
import { type AuditCheck, countOf, type Difference, differencesMax } from "../ledger/audit.ts";
import { reasonByPerson } from "./delivery-policy.ts";

/** All attempts of a delivery are over after so long: what was not written down by then is told nobody. */
const toldDays = 4;

/** Companies are told of everything, in order, where they have said. */
export const webhookChecks: readonly AuditCheck[] = [
  {
    name: "each webhook is where somebody registered it, and none has gone that nobody deleted",
    count: (tx) => countOf(tx, sql`select count(*) as count from webhooks`),
    // Addresses that are too long for the trail are compared as far as it has them.
    find: (tx) =>
      tx.query<Difference>(sql`
        select 'webhook ' || coalesce(w.id, t.subject) || ' of company ' || coalesce(w.company_id, t.company_id) as "where",
          coalesce(t.topic || ' to ' || t.url, 'an entry of the trail') as expected,
          coalesce(w.topic || ' to ' || w.url || coalesce(', ' || w.disabled_reason, ''), 'nothing') as found
        from (
          select company_id, id::text as id, topic::text as topic, url, disabled_at, disabled_reason from webhooks
        ) w
        full join (
          select c.company_id, c.subject, c.changes::jsonb #>> '{topic,to}' as topic,
            c.changes::jsonb #>> '{url,to}' as url
          from company_trail c where c.action = 'webhook.created' and not exists (
            select 1 from company_trail d
            where d.company_id = c.company_id and d.subject = c.subject and d.action = 'webhook.deleted')
        ) t on t.company_id = w.company_id and t.subject = w.id
        left join (
          select distinct on (company_id, subject) company_id, subject, action = 'webhook.disabled' as is_disabled
          from company_trail where action in ('webhook.disabled', 'webhook.enabled')
          order by company_id, subject, id desc
        ) d on d.company_id = w.company_id and d.subject = w.id
        where t.topic is distinct from w.topic
          or (t.url is distinct from w.url
            and not coalesce(right(t.url, 1) = '…' and starts_with(w.url, left(t.url, -1)), false))
          or (coalesce(d.is_disabled, false) and w.disabled_at is null)
          or (not coalesce(d.is_disabled, false) and w.disabled_reason = ${reasonByPerson})
          or (w.disabled_at is null) <> (w.disabled_reason is null)
        limit ${differencesMax}`),
  },
  {
    name: "nothing is passed by that a webhook wanted to be told",
    count: (tx) => countOf(tx, sql`select count(*) as count from event_cursors`),
    find: (tx) =>
      tx.query<Difference>(sql`
        (select 'company ' || c.company_id as "where", 'at most event ' || coalesce(b.last_event, 0) as expected,
          'told up to ' || c.last_event as found
        from event_cursors c left join books b on b.company_id = c.company_id
        where c.last_event > coalesce(b.last_event, 0)
        limit ${differencesMax})
        union all
        (select 'webhook ' || w.id || ' of company ' || w.company_id, 'what comes after event ' || b.last_event || ', or earlier',
          'what comes after event ' || w.from_event
        from webhooks w
        join books b on b.company_id = w.company_id
        where w.from_event > b.last_event
        limit ${differencesMax})
        union all
        (select 'event ' || e.number || ' of company ' || e.company_id, 'a delivery to webhook ' || w.id, 'none'
        from events e
        join event_cursors c on c.company_id = e.company_id
        join webhooks w on w.company_id = e.company_id and w.topic = e.topic
        left join deliveries d on d.company_id = e.company_id and d.webhook_id = w.id and d.event_number = e.number
          and d.created_at > now() - make_interval(days => ${toldDays + 1})
        left join claims h on h.company_id = e.company_id and w.endpoint_id = any (h.endpoints)
          and e.number between h.first_event and h.last_event
        where e.created_at > now() - make_interval(days => ${toldDays}) and e.number <= c.last_event and e.number > w.from_event
          and d.company_id is null and h.company_id is null
        limit ${differencesMax})`),
  },
];
