-- Writes down deliveries that were acknowledged at the first attempt: one insert, and no look before it. p_webhooks and
-- p_endpoints name each webhook once; p_hooks says for each delivery which of them it is. Claims that are told to the
-- last one go (p_finished). Answers the places of those that another had written down meanwhile, because the claim had
-- run out (late): about them nothing is changed.
create or replace function record_told(
  p_company uuid,
  p_patience_ms integer,
  p_pause_min_ms integer,       -- see note_success
  p_webhooks uuid[],
  p_endpoints uuid[],
  p_hooks integer[],
  p_numbers bigint[],
  p_subjects uuid[],
  p_created_ms bigint[],
  p_started_ms bigint[],
  p_durations_ms integer[],
  p_status_codes integer[],
  p_responses text[],
  p_finished uuid[],
  out late integer[],
  out is_due boolean            -- something that is written down may be due
)
language plpgsql
-- Its plans cannot go wrong, and with arrays the planner would make most of them anew each time.
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_made integer;
  v_busy uuid[];
begin
  perform lock_deliveries(p_company, p_patience_ms);
  with made as (
    insert into deliveries as d (
      company_id, webhook_id, event_number, endpoint_id, subject_id, created_at, updated_at, status, attempts, tries,
      told_at, told_ms, told_code, told_response)
    select c.company_id, p_webhooks[x.hook], x.number, p_endpoints[x.hook], x.subject_id,
      moment(x.created_ms), v_now, 'delivered', 1, 1,
      moment(x.started_ms), x.duration_ms, x.status_code, x.response
    from companies c,
      unnest(p_hooks, p_numbers, p_subjects, p_created_ms, p_started_ms, p_durations_ms, p_status_codes, p_responses)
        as x(hook, number, subject_id, created_ms, started_ms, duration_ms, status_code, response)
    where c.company_id = p_company
    on conflict (company_id, webhook_id, event_number, created_at) do nothing
    returning d.event_number
  )
  select count(*) into v_made from made;

  if v_made < cardinality(p_numbers) then
    -- What is there under the same moment is this very attempt: its answer was lost, and it is recorded again.
    late := array(
      select x.place::integer
      from unnest(p_hooks, p_numbers, p_started_ms) with ordinality as x(hook, number, started_ms, place)
      cross join lateral (
        select i.told_at from deliveries i
        where i.company_id = p_company and i.webhook_id = p_webhooks[x.hook] and i.event_number = x.number
        limit 1
      ) as d
      where d.told_at is distinct from moment(x.started_ms));
  end if;

  v_busy := busy_endpoints(p_company, p_endpoints);
  is_due := cardinality(v_busy) > 0;
  if is_due then
    perform unblock_deliveries(p_company, array(
      select p_endpoints[x.hook] from unnest(p_hooks) with ordinality as x(hook, nth) order by x.nth), p_subjects);
  end if;
  perform note_success(p_company, p_endpoints, p_pause_min_ms);
  perform end_claims(p_company, p_finished);
end
$$;

-- Writes down what came of attempts, in one go for many: the log, the delivery's next step, who may go next, and the
-- state of the endpoints. What was in hand and has no row yet gets one first. No delivery may be named twice. Outcomes:
--   delivered
--   retry     failed; to be tried again after p_delays_ms
--   failed    given up
--   gone      the receiver wants no more: its webhook is disabled
--   stopped   broken off by the sender; logged, but says nothing about the receiver
--   unsent    given back without an attempt, for p_delays_ms
-- An outcome whose claim is no longer held, because the delivery was taken again or cancelled, is logged but decides
-- nothing. An attempt that is in the log already, because the answer of an earlier call was lost, is passed over.
--
-- An endpoint that fails is tried with a delivery whose own pause may not be over, and after an outage all of them are. Such
-- an early attempt is logged and leaves the delivery's schedule as it is: an outage uses up no tries.
create or replace function record_attempts(
  p_company uuid,
  p_patience_ms integer,
  p_claims uuid[],
  p_webhooks uuid[],
  p_numbers bigint[],
  p_subjects uuid[],
  p_created_ms bigint[],
  p_outcomes text[],
  p_delays_ms bigint[],
  p_asked_ms bigint[],           -- the pause that the receiver asked for (Retry-After); 0: none
  p_started_ms bigint[],
  p_durations_ms integer[],
  p_status_codes integer[],
  p_errors text[],
  p_responses text[],
  p_finished uuid[],
  p_superseded_after integer,
  p_breaker_after integer,       -- failures in a row that open the circuit breaker
  p_probe_tries integer,         -- failed tries of one delivery after which its endpoint is probed
  p_pause_min_ms integer,        -- how long it is open at first, and at the most
  p_pause_max_ms integer,
  p_disable_after interval,
  p_reason_gone text,
  p_reason_failing text
) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_cursor bigint := lock_deliveries(p_company, p_patience_ms);
  v_written bigint;
  v_places integer[];
  v_is_held boolean[];
  v_statuses delivery_status[];
  v_next timestamptz[];
  v_attempts integer[];
  v_tries integer[];
  v_endpoints uuid[];
  v_created timestamptz[];
  v_place integer;
  v_endpoint uuid;
  v_count bigint;
  v_since timestamptz;
  v_tried integer;
  v_asked bigint;
  v_claims uuid[];
begin
  v_written := write_deliveries(p_company, p_webhooks, p_numbers, p_subjects, array(
    select moment(x.created_ms) from unnest(p_created_ms) with ordinality as x(created_ms, nth) order by x.nth),
    p_claims, null, v_now);
  perform note_ends(p_company, v_written, v_cursor, p_superseded_after);

  select array_agg(o.place), array_agg(o.is_held), array_agg(o.status),
    array_agg(case when o.status in ('pending', 'blocked')
      then case when o.is_early then o.next_attempt_at else v_now + o.delay_ms * interval '1 millisecond' end end),
    array_agg(o.attempts), array_agg(o.tries), array_agg(o.endpoint_id), array_agg(o.created_at)
  into v_places, v_is_held, v_statuses, v_next, v_attempts, v_tries, v_endpoints, v_created
  from (
    select x.place, d.endpoint_id, d.created_at, d.next_attempt_at, x.delay_ms, e.is_early,
      d.claim_id is not distinct from x.claim_id and d.status in ('pending', 'blocked') as is_held,
      d.attempts + (x.outcome <> 'unsent')::integer as attempts,
      d.tries + (x.outcome not in ('unsent', 'stopped') and not e.is_early)::integer as tries,
      case when x.outcome = 'delivered' then 'delivered'
        when x.outcome = 'gone' or x.outcome = 'failed' and not e.is_early then 'failed'
        when x.outcome = 'retry' and d.subject_ended and d.tries + (not e.is_early)::integer >= p_superseded_after
          then 'superseded'
        else d.status end as status
    from unnest(p_claims, p_webhooks, p_numbers, p_outcomes, p_delays_ms, p_started_ms)
      with ordinality as x(claim_id, webhook_id, event_number, outcome, delay_ms, started_ms, place)
    cross join lateral (
      select i.* from deliveries i
      where i.company_id = p_company and i.webhook_id = x.webhook_id and i.event_number = x.event_number
      limit 1
    ) as d
    cross join lateral (
      select d.next_attempt_at > v_now as is_early
    ) as e
    left join lateral (
      select true as is_known from attempts i
      where i.company_id = p_company and i.webhook_id = x.webhook_id and i.event_number = x.event_number
        and i.started_at = moment(x.started_ms)
      limit 1
    ) as a on true
    where a.is_known is null and d.told_at is distinct from moment(x.started_ms)
  ) as o;

  insert into attempts as a (
    company_id, webhook_id, event_number, attempt, started_at, duration_ms, status_code, error, response)
  select c.company_id, p_webhooks[x.place], p_numbers[x.place], x.attempt, moment(p_started_ms[x.place]),
    p_durations_ms[x.place], p_status_codes[x.place], p_errors[x.place], p_responses[x.place]
  from companies c, unnest(v_places, v_is_held, v_attempts) as x(place, is_held, attempt)
  where c.company_id = p_company and p_outcomes[x.place] <> 'unsent'
    and not (x.is_held and p_outcomes[x.place] = 'delivered');

  -- Each of them has its row, so nothing is inserted: this is how to change many rows by their key without a join. Joined
  -- with arrays, which the planner takes for short, the table could be read from end to end.
  insert into deliveries as d (
    company_id, webhook_id, event_number, endpoint_id, subject_id, created_at, updated_at, next_attempt_at, status,
    attempts, tries, told_at, told_ms, told_code, told_response)
  select c.company_id, p_webhooks[x.place], p_numbers[x.place], x.endpoint_id, p_subjects[x.place], x.created_at, v_now,
    x.next_at, x.status, x.attempts, x.tries,
    case when x.status = 'delivered' then moment(p_started_ms[x.place]) end,
    case when x.status = 'delivered' then p_durations_ms[x.place] end,
    case when x.status = 'delivered' then p_status_codes[x.place] end,
    case when x.status = 'delivered' then p_responses[x.place] end
  from companies c,
    unnest(v_places, v_is_held, v_statuses, v_next, v_attempts, v_tries, v_endpoints, v_created)
      as x(place, is_held, status, next_at, attempts, tries, endpoint_id, created_at)
  where c.company_id = p_company and x.is_held
  on conflict (company_id, webhook_id, event_number, created_at) do update set
    updated_at = excluded.updated_at, next_attempt_at = excluded.next_attempt_at, claim_id = null, claimed_until = null,
    status = excluded.status, attempts = excluded.attempts, tries = excluded.tries, told_at = excluded.told_at,
    told_ms = excluded.told_ms, told_code = excluded.told_code, told_response = excluded.told_response;
  for v_place in
    select x.place from unnest(v_places, v_is_held) as x(place, is_held)
    where not x.is_held and p_outcomes[x.place] <> 'unsent'
  loop
    update deliveries as d set attempts = d.attempts + 1, updated_at = v_now
    where d.company_id = p_company and d.webhook_id = p_webhooks[v_place] and d.event_number = p_numbers[v_place];
  end loop;

  perform unblock_deliveries(p_company, v_endpoints, array(
    select p_subjects[x.place] from unnest(v_places) with ordinality as x(place, nth) order by x.nth));
  perform mark_due(p_company, (
    select min(x.next_at) from unnest(v_is_held, v_next) as x(is_held, next_at) where x.is_held));
  perform end_claims(p_company, p_finished);

  -- A probe that was not sent says nothing: the next one may go at once.
  for v_endpoint, v_claims in
    select x.endpoint_id, array_agg(p_claims[x.place])
    from unnest(v_places, v_is_held, v_endpoints) as x(place, is_held, endpoint_id)
    where x.is_held and p_outcomes[x.place] in ('unsent', 'stopped') group by x.endpoint_id
  loop
    update endpoints as n set probe_claim = null, open_until = null
    where n.company_id = p_company and n.id = v_endpoint and n.probe_claim = any (v_claims);
    if found then
      perform mark_due(p_company, v_now);
    end if;
  end loop;

  -- Only outcomes that decided something speak for or against a receiver.
  select array_agg(x.place), array_agg(x.endpoint_id), array_agg(x.tries) into v_places, v_endpoints, v_tries
  from unnest(v_places, v_is_held, v_endpoints, v_tries) as x(place, is_held, endpoint_id, tries)
  where x.is_held and p_outcomes[x.place] not in ('unsent', 'stopped');
  perform note_success(p_company, array(
    select x.endpoint_id from unnest(v_places, v_endpoints) as x(place, endpoint_id)
    where p_outcomes[x.place] = 'delivered'), p_pause_min_ms);
  perform disable_gone(p_company, v_now, p_reason_gone, array(
    select p_webhooks[x.place] from unnest(v_places) as x(place) where p_outcomes[x.place] = 'gone'));
  for v_endpoint, v_count, v_since, v_tried, v_asked, v_claims in
    select x.endpoint_id, count(*), min(moment(p_started_ms[x.place])), max(x.tries), max(p_asked_ms[x.place]),
      array_agg(p_claims[x.place])
    from unnest(v_places, v_endpoints, v_tries) as x(place, endpoint_id, tries)
    group by x.endpoint_id having bool_and(p_outcomes[x.place] <> 'delivered')
  loop
    perform note_failures(p_company, v_now, v_endpoint, v_count, v_since, v_tried >= p_probe_tries, v_asked, v_claims,
      p_breaker_after, p_pause_min_ms, p_pause_max_ms);
    perform disable_failing(p_company, v_now, v_endpoint, p_disable_after, p_reason_failing);
  end loop;
end
$$;

-- The node measures time in whole milliseconds.
create or replace function moment(p_ms bigint) returns timestamptz
language sql immutable
as $$
  select to_timestamp(p_ms / 1000.0::double precision);
$$;
