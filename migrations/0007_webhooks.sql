-- Telling others what happened. Events (the outbox) become deliveries, one per webhook that asked for the
-- topic; a delivery is a series of attempts. All of it in this database: nothing is handed to a queue that
-- could lose it.

-- Where a company wants to be told. Several webhooks may share one address, which is then one endpoint:
-- order, the number of requests in flight and the circuit breaker are matters of the address.
create table endpoints (
  company_id uuid not null references companies (company_id),
  id uuid not null,            -- made from the url, so that the same address finds its row again
  url text not null,
  failures integer not null default 0,   -- in a row; a success sets it back
  failing_since timestamptz,
  open_until timestamptz,      -- the circuit breaker: nothing is sent before this moment

  constraint endpoints_pk primary key (company_id, id)
);

create table webhooks (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  endpoint_id uuid not null,
  topic text not null,
  url text not null,
  from_event bigint not null,  -- hears of what happens after this number
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint webhooks_pk primary key (company_id, id),
  constraint webhooks_endpoint foreign key (company_id, endpoint_id) references endpoints (company_id, id),
  constraint webhooks_topic_known check (topic in (
    'transactions/started', 'transactions/completed', 'transactions/failed', 'charge/events')),
  constraint webhooks_disabled_with_reason check ((disabled_at is null) = (disabled_reason is null))
);
-- For the operator, who knows a webhook by its id alone.
create index webhooks_by_id on webhooks (id);
-- Asked by every set of events: does anybody listen?
create index webhooks_listening on webhooks (company_id, topic)
  where deleted_at is null and disabled_at is null;

-- How far a company's events have been turned into deliveries. Not on company_counters: that row is held
-- by whoever moves the company's money.
create table event_cursors (
  company_id uuid not null references companies (company_id),
  last_event bigint not null,

  constraint event_cursors_pk primary key (company_id)
);

create table deliveries (
  company_id uuid not null,
  webhook_id uuid not null,
  event_number bigint not null,
  endpoint_id uuid not null,
  subject_id uuid not null,
  topic text not null,
  status text not null,
  -- All attempts ever made, and those of the current series: a redelivery starts the schedule anew.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Names the node that is sending it, and until when. An outcome counts only under the claim it was sent
  -- with. In no index: taking a delivery is the most frequent change, and so the cheapest.
  claim_id uuid,
  claimed_until timestamptz,
  subject_ended boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint deliveries_pk primary key (company_id, webhook_id, event_number),
  constraint deliveries_status_known check (status in (
    'pending', 'blocked', 'delivered', 'failed', 'superseded', 'cancelled'))
) with (fillfactor = 70); -- Room on the page for the row that was taken.
-- Conditional for the planner's sake too: see the indexes of transfers.
create index deliveries_due on deliveries (company_id, endpoint_id, next_attempt_at)
  where status = 'pending';
-- Order per object and address: who is still before me, and who waits behind me?
create index deliveries_unfinished on deliveries (company_id, endpoint_id, subject_id, event_number)
  where status in ('pending', 'blocked') and event_number > 0;

create table attempts (
  company_id uuid not null,
  webhook_id uuid not null,
  event_number bigint not null,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response text,               -- the first KB of the answer

  constraint attempts_pk primary key (company_id, webhook_id, event_number, attempt)
);

-- The company has something to send from this moment on.
create function mark_webhook_work(p_company uuid, p_ready_at timestamptz) returns void
language sql
as $$
  insert into work as w (company_id, queue, ready_at) values (p_company, 'webhooks', p_ready_at)
  on conflict (company_id, queue) do update set ready_at = excluded.ready_at
  where w.ready_at > excluded.ready_at;
$$;

-- As before, and if anybody listens, the company is marked as having something to tell.
create or replace function publish_events(
  p_company uuid, p_topic text, p_subjects uuid[], p_payloads text[])
returns void
language plpgsql
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_last bigint;
begin
  if v_count = 0 then
    return;
  end if;
  update company_counters set last_event = last_event + v_count
  where company_id = p_company returning last_event into v_last;

  insert into events as e (company_id, number, topic, subject_id, payload)
  select c.company_id, v_last - v_count + x.place, p_topic, x.subject_id, x.payload
  from companies c, unnest(p_subjects, p_payloads) with ordinality as x(subject_id, payload, place)
  where c.company_id = p_company;

  if exists (
    select 1 from webhooks w
    where w.company_id = p_company and w.deleted_at is null and w.disabled_at is null
  ) then
    perform mark_webhook_work(p_company, now());
  end if;
end
$$;

-- What a company's deliveries have in common: whoever adds, finishes, cancels or repeats some of them takes
-- this lock first, and so does whoever takes some to send them. Otherwise one that is added while the one before it is finished could wait for ever.
create function lock_deliveries(p_company uuid) returns bigint
language sql
as $$
  select c.last_event from event_cursors c where c.company_id = p_company for update;
$$;

-- Turns the next events of a company into deliveries, a bounded number, in the order they happened. The
-- first attempt is at least p_delay after this moment, and so after the commit that made the event
-- visible here: a caller has its answer before it hears of it. A disabled webhook's are written down as
-- cancelled, so that they can be replayed once it is enabled. Returns whether there may be more.
create function fan_out_events(
  p_company uuid, p_limit integer, p_delay interval, p_superseded_after integer default 3
) returns boolean
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_after bigint := lock_deliveries(p_company);
  v_upto bigint;
  v_count integer;
  v_ended uuid[];
  v_endpoints uuid[];
  v_subjects uuid[];
begin
  if v_after is null then
    return false;
  end if;
  select max(e.number), count(*) into v_upto, v_count from (
    select i.number from events i
    where i.company_id = p_company and i.number > v_after order by i.number limit p_limit
  ) as e;
  if v_count = 0 then
    return false;
  end if;

  insert into deliveries as d (
    company_id, webhook_id, event_number, endpoint_id, subject_id, topic, status, next_attempt_at)
  select w.company_id, w.id, e.number, w.endpoint_id, e.subject_id, e.topic,
    case when w.disabled_at is not null then 'cancelled'
      when b.event_number is not null or lag(e.number) over (
        partition by w.endpoint_id, e.subject_id, w.disabled_at is null order by e.number, w.id) is not null
      then 'blocked' else 'pending' end,
    clock_timestamp() + p_delay
  from webhooks w
  join events e on e.company_id = w.company_id and e.topic = w.topic and e.number > w.from_event
  left join lateral (
    select i.event_number from deliveries i
    where i.company_id = p_company and i.endpoint_id = w.endpoint_id and i.subject_id = e.subject_id
      and i.status in ('pending', 'blocked') and i.event_number > 0
    limit 1
  ) as b on true
  where w.company_id = p_company and w.deleted_at is null
    and e.company_id = p_company and e.number > v_after and e.number <= v_upto
  on conflict (company_id, webhook_id, event_number) do nothing;

  update event_cursors set last_event = v_upto where company_id = p_company;

  -- A started transfer whose end is known may be given up sooner, or at once if it failed often enough.
  select array_agg(e.subject_id) into v_ended from events e
  where e.company_id = p_company and e.number > v_after and e.number <= v_upto
    and e.topic in ('transactions/completed', 'transactions/failed')
    and exists (
      select 1 from webhooks w
      where w.company_id = p_company and w.topic = 'transactions/started' and w.deleted_at is null);
  if v_ended is not null then
    update deliveries as d set subject_ended = true
    where d.company_id = p_company and d.status in ('pending', 'blocked') and d.event_number > 0
      and d.topic = 'transactions/started' and d.endpoint_id = any (endpoints_of(p_company))
      and d.subject_id = any (v_ended);
    select array_agg(d.endpoint_id), array_agg(d.subject_id) into v_endpoints, v_subjects
    from deliveries d
    where d.company_id = p_company and d.status = 'pending' and d.event_number > 0
      and d.topic = 'transactions/started' and d.endpoint_id = any (endpoints_of(p_company))
      and d.subject_id = any (v_ended) and d.tries >= p_superseded_after and d.claim_id is null;
    if v_endpoints is not null then
      update deliveries as d set status = 'superseded', updated_at = now()
      where d.company_id = p_company and d.status = 'pending' and d.event_number > 0
        and d.topic = 'transactions/started' and d.endpoint_id = any (v_endpoints)
        and d.subject_id = any (v_subjects) and d.tries >= p_superseded_after and d.claim_id is null;
      perform unblock_deliveries(p_company, v_endpoints, v_subjects);
    end if;
  end if;
  return v_count = p_limit;
end
$$;

create function endpoints_of(p_company uuid) returns uuid[]
language sql stable
as $$
  select array(select n.id from endpoints n where n.company_id = p_company);
$$;

-- Lets the next one behind each finished delivery go: the same object, the same address.
create function unblock_deliveries(p_company uuid, p_endpoints uuid[], p_subjects uuid[]) returns void
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_now timestamptz := now();
  v_webhooks uuid[];
  v_numbers bigint[];
  v_webhook uuid;
  v_group bigint[];
begin
  select array_agg(n.webhook_id), array_agg(n.event_number) into v_webhooks, v_numbers
  from (select distinct y.endpoint_id, y.subject_id from unnest(p_endpoints, p_subjects) as y(endpoint_id, subject_id)) as x
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
  -- Not before the moment it could have gone if it had been first. One webhook at a time: see take_deliveries.
  for v_webhook, v_group in
    select x.webhook_id, array_agg(x.event_number)
    from unnest(v_webhooks, v_numbers) as x(webhook_id, event_number) group by x.webhook_id
  loop
    update deliveries as d set status = 'pending', next_attempt_at = greatest(d.next_attempt_at, v_now)
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_group);
  end loop;
  perform mark_webhook_work(p_company, now());
end
$$;

-- Takes due deliveries of a company, oldest first, for p_claim: at most p_room for an endpoint, or
-- p_rooms[i] for those the sender names because it holds some of theirs already. A taken delivery belongs to
-- its sender for half a minute: if that one dies it is due again by itself. An endpoint whose breaker is open
-- gets nothing; one that failed often enough gets a single probe.
create function take_deliveries(
  p_company uuid, p_claim uuid, p_room integer, p_endpoints uuid[], p_rooms integer[],
  p_probe_after integer
) returns table (
  webhook_id uuid, event_number bigint, endpoint_id uuid, url text, topic text, attempts integer,
  tries integer, payload text)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_webhooks uuid[];
  v_numbers bigint[];
  v_endpoints uuid[];
  v_urls text[];
  v_topics text[];
  v_attempts integer[];
  v_tries integer[];
  v_webhook uuid;
  v_group bigint[];
begin
  perform lock_deliveries(p_company);
  select array_agg(t.webhook_id), array_agg(t.event_number), array_agg(n.id), array_agg(n.url),
    array_agg(t.topic), array_agg(t.attempts), array_agg(t.tries)
  into v_webhooks, v_numbers, v_endpoints, v_urls, v_topics, v_attempts, v_tries
  from endpoints n
  left join unnest(p_endpoints, p_rooms) as x(endpoint_id, room) on x.endpoint_id = n.id
  cross join lateral (
    select d.webhook_id, d.event_number, d.topic, d.attempts, d.tries from deliveries d
    where d.company_id = p_company and d.endpoint_id = n.id and d.status = 'pending'
      and d.next_attempt_at <= now() and (d.claimed_until is null or d.claimed_until <= now())
    order by d.next_attempt_at
    limit least(coalesce(x.room, p_room), case when n.failures >= p_probe_after then
      case when has_probe(p_company, n.id) then 0 else 1 end end)
  ) as t
  where n.company_id = p_company and (n.open_until is null or n.open_until <= now());
  if v_webhooks is null then
    return;
  end if;

  -- One update per webhook instead of a join: the planner, which takes the arrays for short, joins them the
  -- wrong way round, and 512 deliveries then cost 512 times 512 comparisons.
  for v_webhook, v_group in
    select x.webhook_id, array_agg(x.event_number)
    from unnest(v_webhooks, v_numbers) as x(webhook_id, event_number) group by x.webhook_id
  loop
    update deliveries as d set claimed_until = now() + interval '30 seconds', claim_id = p_claim
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_group);
  end loop;

  return query
    select x.webhook_id, x.event_number, x.endpoint_id, x.url, x.topic, x.attempts, x.tries, e.payload
    from unnest(v_webhooks, v_numbers, v_endpoints, v_urls, v_topics, v_attempts, v_tries) with ordinality
      as x(webhook_id, event_number, endpoint_id, url, topic, attempts, tries, place)
    cross join lateral (
      select i.payload from events i
      where i.company_id = p_company and i.number = x.event_number limit 1
    ) as e
    order by x.event_number, x.place;
end
$$;

-- Is somebody trying this endpoint at the moment? What is being sent was due before all that waits.
create function has_probe(p_company uuid, p_endpoint uuid) returns boolean
language sql stable
as $$
  select exists (
    select 1 from (
      select d.claimed_until from deliveries d
      where d.company_id = p_company and d.endpoint_id = p_endpoint and d.status = 'pending'
        and d.next_attempt_at <= now()
      order by d.next_attempt_at limit 1000
    ) as first where first.claimed_until > now());
$$;

-- Writes down what came of attempts, in one go for many: the log, the delivery's next step, who may go
-- next, and the state of the endpoints. Outcomes: delivered; retry (after p_delays_ms); failed (given up);
-- gone (the receiver wants no more: its webhook is disabled). An outcome whose claim is no longer held,
-- because the delivery was taken again or cancelled, is logged but decides nothing.
create function record_attempts(
  p_company uuid, p_claim uuid, p_webhooks uuid[], p_numbers bigint[], p_outcomes text[],
  p_delays_ms bigint[], p_started timestamptz[], p_durations_ms integer[], p_status_codes integer[],
  p_errors text[], p_responses text[], p_superseded_after integer, p_breaker_after integer,
  p_disable_after interval
) returns void
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_places bigint[];
  v_endpoints uuid[];
  v_subjects uuid[];
  v_statuses text[];
  v_next timestamptz[];
  v_attempts integer[];
  v_finished_endpoints uuid[];
  v_finished_subjects uuid[];
  v_alike record;
begin
  perform lock_deliveries(p_company);
  select array_agg(x.place order by x.place), array_agg(d.endpoint_id order by x.place),
    array_agg(d.subject_id order by x.place), array_agg(d.attempts + 1 order by x.place),
    array_agg(case
      when d.claim_id is distinct from p_claim or d.status <> 'pending' then d.status
      when x.outcome = 'delivered' then 'delivered'
      when x.outcome = 'gone' or x.outcome = 'failed' then 'failed'
      when d.topic = 'transactions/started' and d.subject_ended and d.tries + 1 >= p_superseded_after
        then 'superseded'
      else 'pending' end order by x.place),
    array_agg(case
      when d.claim_id is distinct from p_claim then d.next_attempt_at
      else v_now + x.delay_ms * interval '1 millisecond' end order by x.place)
  into v_places, v_endpoints, v_subjects, v_attempts, v_statuses, v_next
  from unnest(p_webhooks, p_numbers, p_outcomes, p_delays_ms)
    with ordinality as x(webhook_id, event_number, outcome, delay_ms, place)
  cross join lateral (
    select i.* from deliveries i
    where i.company_id = p_company and i.webhook_id = x.webhook_id and i.event_number = x.event_number
    limit 1
  ) as d;
  if v_places is null then
    return;
  end if;

  insert into attempts as a (
    company_id, webhook_id, event_number, attempt, started_at, duration_ms, status_code, error, response)
  select c.company_id, p_webhooks[x.place], p_numbers[x.place], x.attempt, p_started[x.place],
    p_durations_ms[x.place], p_status_codes[x.place], p_errors[x.place], p_responses[x.place]
  from companies c, unnest(v_places, v_attempts) as x(place, attempt)
  where c.company_id = p_company;

  -- One update for all that end alike, instead of a join: see take_deliveries.
  for v_alike in
    select p_webhooks[x.place] as webhook_id, x.attempt, x.status, x.next_at,
      array_agg(p_numbers[x.place]) as numbers
    from unnest(v_places, v_attempts, v_statuses, v_next) as x(place, attempt, status, next_at)
    group by 1, 2, 3, 4
  loop
    update deliveries as d
    set attempts = v_alike.attempt, status = v_alike.status, next_attempt_at = v_alike.next_at,
      tries = case when d.claim_id = p_claim then d.tries + 1 else d.tries end,
      claim_id = case when d.claim_id = p_claim then null else d.claim_id end,
      claimed_until = case when d.claim_id = p_claim then null else d.claimed_until end,
      updated_at = v_now
    where d.company_id = p_company and d.webhook_id = v_alike.webhook_id
      and d.event_number = any (v_alike.numbers);
  end loop;

  select array_agg(x.endpoint_id), array_agg(x.subject_id) into v_finished_endpoints, v_finished_subjects
  from unnest(v_endpoints, v_subjects, v_statuses) as x(endpoint_id, subject_id, status)
  where x.status <> 'pending';
  if v_finished_endpoints is not null then
    perform unblock_deliveries(p_company, v_finished_endpoints, v_finished_subjects);
  end if;

  -- What is to be tried again is due sooner than its claim would have run out.
  perform mark_webhook_work(p_company, min(x.next_at))
  from unnest(v_statuses, v_next) as x(status, next_at) where x.status = 'pending' having count(*) > 0;

  -- The row of a healthy endpoint is not written: it would be the hottest row of all.
  update endpoints as n set failures = 0, failing_since = null, open_until = null
  where n.company_id = p_company and n.failures > 0 and n.id = any (array(
    select v_endpoints[x.nth] from unnest(v_places) with ordinality as x(place, nth)
    where p_outcomes[x.place] = 'delivered'));
  if found then
    perform mark_webhook_work(p_company, v_now);
  end if;
  update endpoints as n
  set failures = n.failures + x.failures, failing_since = coalesce(n.failing_since, x.since),
    -- Half a minute at first, doubling up to ten.
    open_until = case when n.failures + x.failures >= p_breaker_after then
      v_now + least(600, 30 * power(2, least(10, (n.failures + x.failures - p_breaker_after) / 4))) * interval '1 second'
      end
  from (
    select v_endpoints[y.nth] as endpoint_id, count(*)::integer as failures, min(p_started[y.place]) as since
    from unnest(v_places) with ordinality as y(place, nth)
    group by v_endpoints[y.nth]
    having bool_and(p_outcomes[y.place] <> 'delivered')
  ) as x
  where n.company_id = p_company and n.id = x.endpoint_id;

  update webhooks as w set disabled_at = v_now, disabled_reason = 'The receiver answered 410 Gone.', updated_at = v_now
  where w.company_id = p_company and w.disabled_at is null and w.deleted_at is null
    and w.id = any (array(select p_webhooks[x.place] from unnest(v_places) as x(place) where p_outcomes[x.place] = 'gone'));
  update webhooks as w
  set disabled_at = v_now, updated_at = v_now,
    disabled_reason = 'Every attempt has failed for ' || extract(day from p_disable_after) || ' days.'
  where w.company_id = p_company and w.disabled_at is null and w.deleted_at is null
    and w.endpoint_id = any (array(
      select n.id from endpoints n
      where n.company_id = p_company and n.id = any (v_endpoints) and n.failing_since < v_now - p_disable_after));
  -- A disabled webhook's deliveries wait for nobody.
  if exists (
    select 1 from webhooks w where w.company_id = p_company and w.disabled_at = v_now
  ) then
    perform cancel_deliveries(p_company, w.id) from webhooks w
    where w.company_id = p_company and w.disabled_at = v_now;
  end if;
end
$$;

-- Cancels what a webhook still has to deliver, and lets others behind it go.
create function cancel_deliveries(p_company uuid, p_webhook uuid) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_endpoints uuid[];
  v_subjects uuid[];
begin
  perform lock_deliveries(p_company);
  select array_agg(d.endpoint_id), array_agg(d.subject_id) into v_endpoints, v_subjects
  from deliveries d
  where d.company_id = p_company and d.webhook_id = p_webhook and d.status in ('pending', 'blocked')
    and d.event_number > 0
    and d.endpoint_id = (select w.endpoint_id from webhooks w where w.company_id = p_company and w.id = p_webhook);
  if v_endpoints is null then
    return 0;
  end if;
  update deliveries as d set status = 'cancelled', claim_id = null, claimed_until = null, updated_at = now()
  where d.company_id = p_company and d.webhook_id = p_webhook and d.status in ('pending', 'blocked')
    and d.event_number > 0 and d.endpoint_id = any (v_endpoints);
  perform unblock_deliveries(p_company, v_endpoints, v_subjects);
  return cardinality(v_subjects);
end
$$;

-- Puts finished deliveries of a webhook back to the start of their schedule, in order per object. Returns
-- how many; those that are under way already are left alone.
create function requeue_deliveries(p_company uuid, p_webhook uuid, p_numbers bigint[]) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_numbers bigint[];
  v_endpoint uuid;
  v_subjects uuid[];
begin
  perform lock_deliveries(p_company);
  select array_agg(d.event_number order by d.event_number), min(d.endpoint_id::text)::uuid,
    array_agg(d.subject_id order by d.event_number)
  into v_numbers, v_endpoint, v_subjects
  from deliveries d
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (p_numbers)
    and d.status in ('delivered', 'failed', 'superseded', 'cancelled');
  if v_numbers is null then
    return 0;
  end if;
  update deliveries as d
  set status = 'blocked', tries = 0, claim_id = null, claimed_until = null, next_attempt_at = now(), updated_at = now()
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (v_numbers);
  perform unblock_deliveries(
    p_company, array_fill(v_endpoint, array[cardinality(v_subjects)]), v_subjects);
  return cardinality(v_numbers);
end
$$;

-- Deletes what has been finished for p_age: deliveries with their attempts, then events that nobody needs any
-- more, at most p_limit of each kind and webhook. Events carry numbers in the order of time, so the newest one that is
-- old enough is found by halving, and no index by age has to be kept for all the rest.
create function forget_deliveries(p_company uuid, p_age interval, p_limit integer) returns boolean
language plpgsql
set enable_seqscan = off
as $$
declare
  v_before timestamptz := now() - p_age;
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_webhook uuid;
  v_numbers bigint[];
  v_more boolean := false;
begin
  select min(e.number) - 1, max(e.number) + 1 into v_low, v_high from events e where e.company_id = p_company;
  if v_low is null then
    return false;
  end if;
  while v_high - v_low > 1 loop
    v_middle := (v_low + v_high) / 2;
    -- A number that is not there was forgotten already.
    if exists (
      select 1 from events e
      where e.company_id = p_company and e.number = v_middle and e.created_at >= v_before
    ) then
      v_high := v_middle;
    else
      v_low := v_middle;
    end if;
  end loop;

  for v_webhook in select w.id from webhooks w where w.company_id = p_company loop
    select array_agg(d.event_number) into v_numbers from (
      select i.event_number from deliveries i
      where i.company_id = p_company and i.webhook_id = v_webhook and i.event_number <= v_low
        and i.updated_at < v_before and i.status not in ('pending', 'blocked')
      order by i.event_number limit p_limit
    ) as d;
    v_more := v_more or coalesce(cardinality(v_numbers), 0) = p_limit;
    delete from attempts a
    where a.company_id = p_company and a.webhook_id = v_webhook and a.event_number = any (v_numbers);
    delete from deliveries d
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_numbers);
  end loop;

  select array_agg(o.number) into v_numbers from (
    select e.number from events e
    where e.company_id = p_company and e.number <= v_low and not exists (
      select 1 from webhooks w
      cross join lateral (
        select 1 from deliveries i
        where i.company_id = p_company and i.webhook_id = w.id and i.event_number = e.number limit 1
      ) as d
      where w.company_id = p_company)
    order by e.number limit p_limit
  ) as o;
  delete from events e where e.company_id = p_company and e.number = any (v_numbers);
  return v_more or coalesce(cardinality(v_numbers), 0) = p_limit;
end
$$;
