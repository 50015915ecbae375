-- What a company's deliveries have in common: whoever claims, writes, takes, finishes, cancels or repeats some of them
-- holds this lock, from the first look to the commit. Otherwise one that is added while the one before it is finished
-- could wait for ever. Nobody waits for it longer than p_patience_ms (55P03). Answers how far events have been taken;
-- null: nobody has ever listened.
create or replace function lock_deliveries(p_company uuid, p_patience_ms integer) returns bigint
language plpgsql
as $$
declare
  v_cursor bigint;
begin
  perform set_config('lock_timeout', p_patience_ms::text, true);
  select c.last_event into v_cursor from event_cursors c where c.company_id = p_company for update;
  return v_cursor;
end
$$;

-- Something that is written down may be due from this moment on.
create or replace function mark_due(p_company uuid, p_at timestamptz) returns void
language plpgsql
as $$
begin
  update event_cursors as c set due_at = p_at
  where c.company_id = p_company and p_at is not null and (c.due_at is null or c.due_at > p_at);
end
$$;

-- Those of the endpoints at which something that is written down is not finished.
--
-- What is not finished has a partial index. After a long queue has drained, that index has hundreds of pages and a
-- handful of entries, the planner takes it for expensive, and would rather read all that the company ever had and sort
-- it. Each of these statements therefore asks for the order of the index it means, and may not sort.
create or replace function busy_endpoints(p_company uuid, p_endpoints uuid[]) returns uuid[]
language plpgsql
set enable_sort = off
set plan_cache_mode = 'force_generic_plan' -- See record_told.
as $$
begin
  return array(
    select x.id from (select distinct y.id from unnest(p_endpoints) as y(id)) as x
    cross join lateral (
      select true from deliveries i
      where i.company_id = p_company and i.endpoint_id = x.id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.subject_id, i.event_number, i.webhook_id limit 1
    ) as d);
end
$$;

-- Writes deliveries down that have no row yet: pending, or blocked behind something earlier of the same object at the
-- same address (a row, another of this set, or what p_waits knows of), or cancelled if the webhook is disabled. A
-- webhook that is gone has none. p_created_at: when they were taken in hand; null: now. p_claims: who has them in hand
-- and is about to record an outcome. Answers the lowest event number that was written.
create or replace function write_deliveries(
  p_company uuid, p_webhooks uuid[], p_numbers bigint[], p_subjects uuid[], p_created_at timestamptz[],
  p_claims uuid[], p_waits boolean[], p_due_at timestamptz
) returns bigint
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_first bigint;
begin
  if p_webhooks is null then
    return null;
  end if;
  with made as (
    insert into deliveries as d (
      company_id, webhook_id, event_number, endpoint_id, subject_id, created_at, updated_at, next_attempt_at, claim_id,
      status, attempts, tries)
    select c.company_id, n.webhook_id, n.event_number, n.endpoint_id, n.subject_id, n.created_at, v_now,
      case when n.is_enabled then p_due_at end, case when n.is_enabled then n.claim_id end,
      case when not n.is_enabled then 'cancelled'
        when n.waits or n.is_behind or b.event_number is not null then 'blocked'
        else 'pending' end::delivery_status,
      0, 0
    from companies c
    cross join (
      select x.webhook_id, x.event_number, x.subject_id, x.claim_id, w.endpoint_id, w.is_enabled,
        coalesce(x.created_at, v_now) as created_at,
        coalesce(x.waits, false) as waits,
        lag(x.event_number) over (
          partition by w.endpoint_id, x.subject_id, w.is_enabled order by x.event_number, x.webhook_id) is not null
          as is_behind
      from unnest(p_webhooks, p_numbers, p_subjects, p_created_at, p_claims, p_waits)
        as x(webhook_id, event_number, subject_id, created_at, claim_id, waits)
      cross join lateral (
        select i.endpoint_id, i.disabled_at is null as is_enabled from webhooks i
        where i.company_id = p_company and i.id = x.webhook_id limit 1
      ) as w
      left join lateral (
        select true as is_written from deliveries i
        where i.company_id = p_company and i.webhook_id = x.webhook_id and i.event_number = x.event_number
        limit 1
      ) as e on true
      where e.is_written is null
    ) as n
    left join lateral (
      select i.event_number, i.webhook_id from deliveries i
      where i.company_id = p_company and i.endpoint_id = n.endpoint_id and i.subject_id = n.subject_id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.event_number, i.webhook_id limit 1
    ) as b on (b.event_number, b.webhook_id) < (n.event_number, n.webhook_id)
    where c.company_id = p_company
    on conflict (company_id, webhook_id, event_number, created_at) do nothing
    returning d.event_number
  )
  select min(m.event_number) into v_first from made m;
  if v_first is not null then
    perform mark_due(p_company, p_due_at);
  end if;
  return v_first;
end
$$;

-- Lets the next one behind each finished delivery go: the same object, the same address. While some of the object is
-- in the hand of a node, it goes on waiting, until the node has written that down.
create or replace function unblock_deliveries(p_company uuid, p_endpoints uuid[], p_subjects uuid[]) returns void
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_busy uuid[] := busy_endpoints(p_company, p_endpoints);
  v_webhooks uuid[];
  v_numbers bigint[];
  v_endpoints uuid[];
  v_subjects uuid[];
  v_webhook uuid;
  v_group bigint[];
begin
  if cardinality(v_busy) = 0 then
    return;
  end if;
  select array_agg(n.webhook_id), array_agg(n.event_number), array_agg(x.endpoint_id), array_agg(x.subject_id)
  into v_webhooks, v_numbers, v_endpoints, v_subjects
  from (
    select distinct y.endpoint_id, y.subject_id from unnest(p_endpoints, p_subjects) as y(endpoint_id, subject_id)
    where y.endpoint_id = any (v_busy)
  ) as x
  cross join lateral (
    select i.webhook_id, i.event_number, i.status from deliveries i
    where i.company_id = p_company and i.endpoint_id = x.endpoint_id and i.subject_id = x.subject_id
      and i.status in ('pending', 'blocked') and i.event_number > 0
    order by i.event_number, i.webhook_id
    limit 1
  ) as n
  where n.status = 'blocked';
  if v_webhooks is null then
    return;
  end if;

  -- One webhook at a time instead of a join: the planner, which takes the arrays for short, joins them the wrong way
  -- round, and 512 deliveries then cost 512 times 512 comparisons.
  for v_webhook, v_group in
    select a.webhook_id, array_agg(a.event_number) from (
      select x.webhook_id, x.event_number, bool_or(x.is_in_hand) over (partition by x.endpoint_id, x.subject_id) as waits
      from (
        select y.webhook_id, y.event_number, y.endpoint_id, y.subject_id, false as is_in_hand
        from unnest(v_webhooks, v_numbers, v_endpoints, v_subjects)
          as y(webhook_id, event_number, endpoint_id, subject_id)
        union all
        select null, null, h.endpoint_id, h.subject_id, true from deliveries_in_hand(p_company, v_busy, null) as h
      ) as x
    ) as a
    where a.webhook_id is not null and not a.waits
    group by a.webhook_id
  loop
    -- Not before the moment it could have gone if it had been first.
    update deliveries as d set status = 'pending', next_attempt_at = greatest(d.next_attempt_at, v_now)
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_group);
  end loop;
  perform mark_due(p_company, v_now);
end
$$;

-- That a transfer has started is of little interest once it has ended. Marks what is not finished of starts whose ends
-- are among the events after p_after up to p_upto, so that it is given up after p_superseded_after attempts; what has
-- had as many is given up now. p_after null: nothing to look at.
create or replace function note_ends(p_company uuid, p_after bigint, p_upto bigint, p_superseded_after integer)
returns void
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_webhooks integer;
  v_starts uuid[];
  v_busy uuid[];
  v_webhook uuid;
  v_numbers bigint[];
  v_endpoints uuid[];
  v_subjects uuid[];
begin
  if p_after is null then
    return;
  end if;
  select count(*), array_agg(w.id) filter (where w.topic = 'transactions/started'),
    array_agg(w.endpoint_id) filter (where w.topic = 'transactions/started')
  into v_webhooks, v_starts, v_busy
  from webhooks w where w.company_id = p_company;
  v_busy := busy_endpoints(p_company, v_busy);
  if cardinality(v_busy) = 0 then
    return;
  end if;
  for v_webhook, v_numbers in
    select d.webhook_id, array_agg(d.event_number)
    from (
      select i.subject_id, i.topic from events i
      where i.company_id = p_company and i.last_number > p_after and i.last_number < p_upto + 64
        and i.number > p_after and i.number <= p_upto
      order by i.last_number limit p_upto - p_after
    ) as e
    cross join unnest(v_busy) as n(endpoint_id)
    cross join lateral (
      -- Each webhook hears of a transfer once.
      select i.webhook_id, i.event_number from deliveries i
      where i.company_id = p_company and i.endpoint_id = n.endpoint_id and i.subject_id = e.subject_id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.event_number, i.webhook_id limit v_webhooks
    ) as d
    where e.topic in ('transactions/completed', 'transactions/failed') and d.webhook_id = any (v_starts)
    group by d.webhook_id
  loop
    update deliveries as d set subject_ended = true
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_numbers);

    select array_agg(d.endpoint_id), array_agg(d.subject_id), array_agg(x.number)
    into v_endpoints, v_subjects, v_numbers
    from unnest(v_numbers) as x(number)
    cross join lateral (
      select i.endpoint_id, i.subject_id, i.status, i.tries, i.claim_id from deliveries i
      where i.company_id = p_company and i.webhook_id = v_webhook and i.event_number = x.number limit 1
    ) as d
    where d.status = 'pending' and d.tries >= p_superseded_after and d.claim_id is null;
    update deliveries as d set status = 'superseded', next_attempt_at = null, updated_at = v_now
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_numbers);
    perform unblock_deliveries(p_company, v_endpoints, v_subjects);
  end loop;
end
$$;
