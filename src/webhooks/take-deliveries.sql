-- Takes deliveries that are written down and due, oldest first, for p_claim: at most p_room for an endpoint, or
-- p_rooms[i] for those that the node names because it holds some of theirs already. A taken delivery belongs to its
-- node for p_claimed_for_ms: if that one dies it is due again by itself. An endpoint whose breaker is open gets nothing
-- until its pause is over, and then a single probe, with whatever waits for it, due or not. One that is not proved yet
-- gets one at a time. Nothing else is sent there until the outcome is known, or the claim has run out. One that fails and
-- is to be probed gets what is due, or else the first that waits. After an outage all that failed in it are as good as due.
--
-- Nobody waits for a neighbour: a company whose deliveries are locked is passed over.
create or replace function take_deliveries(
  p_company uuid,
  p_claim uuid,
  p_claimed_for_ms integer,
  p_room integer,
  p_endpoints uuid[],
  p_rooms integer[],
  p_try_pause_ms integer,
  p_tries_per_minute integer
) returns table (
  webhook_id uuid, event_number bigint, subject_id uuid, happened_ms bigint, payload text, tries integer)
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_until timestamptz := v_now + p_claimed_for_ms * interval '1 millisecond';
  v_endpoint uuid;
  v_is_open boolean;
  v_is_proved boolean;
  v_probe_at timestamptz;
  v_recovered_at timestamptz;
  v_horizon timestamptz;
  v_room integer;
  v_webhook uuid;
  v_numbers bigint[];
begin
  perform 1 from event_cursors c where c.company_id = p_company for update skip locked;
  if not found then
    return;
  end if;
  for v_endpoint, v_is_open, v_is_proved, v_probe_at, v_recovered_at in
    select n.id, n.opened_at is not null, n.proved_at is not null, n.probe_at, n.recovered_at from endpoints n
    where n.company_id = p_company and (n.open_until is null or n.open_until <= v_now)
  loop
    v_room := coalesce(p_rooms[array_position(p_endpoints, v_endpoint)], p_room);
    if v_is_open or not v_is_proved then
      v_room := least(v_room, 1);
    end if;
    v_horizon := case when v_is_open then 'infinity' else v_now end;
    if not v_is_open and v_probe_at <= v_now then
      select greatest(v_now, i.next_attempt_at) into v_horizon from deliveries i
      where i.company_id = p_company and i.endpoint_id = v_endpoint and i.status = 'pending'
        and (i.claimed_until is null or i.claimed_until <= v_now)
      order by i.next_attempt_at limit 1;
      update endpoints as n set probe_at = v_until where n.company_id = p_company and n.id = v_endpoint;
    end if;
    -- One webhook at a time: see unblock_deliveries.
    for v_webhook, v_numbers in
      select d.webhook_id, array_agg(d.event_number) from (
        select i.webhook_id, i.event_number from deliveries i
        where i.company_id = p_company and i.endpoint_id = v_endpoint and i.status = 'pending'
          and (i.next_attempt_at <= v_horizon or i.updated_at <= v_recovered_at)
          and (i.claimed_until is null or i.claimed_until <= v_now)
        order by i.next_attempt_at limit v_room
      ) as d
      group by d.webhook_id
    loop
      if not v_is_proved then
        exit when not may_try(p_company, v_endpoint, p_try_pause_ms, p_tries_per_minute);
      end if;
      if v_is_open or not v_is_proved then
        update endpoints as n set probe_claim = p_claim, open_until = v_until
        where n.company_id = p_company and n.id = v_endpoint;
      end if;
      update deliveries as d set claim_id = p_claim, claimed_until = v_until
      where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_numbers);
      return query
        select v_webhook, x.number, d.subject_id, (extract(epoch from e.created_at) * 1000)::bigint, e.payload, d.tries
        from unnest(v_numbers) with ordinality as x(number, place)
        cross join lateral (
          select i.subject_id, i.tries from deliveries i
          where i.company_id = p_company and i.webhook_id = v_webhook and i.event_number = x.number limit 1
        ) as d
        cross join lateral (
          select i.created_at, i.payload from events i
          where i.company_id = p_company and i.last_number >= x.number and i.last_number < x.number + 64 and i.number = x.number
          order by i.last_number limit 1
        ) as e
        order by x.place;
    end loop;
  end loop;
end
$$;

-- Finds out when the next delivery that is written down is due, and remembers it. Endpoints with a pause are not looked
-- at before it is over. Answers in how many milliseconds that is; null: nothing waits, or somebody else is at it.
create or replace function set_due(
  p_company uuid, p_paused uuid[], p_pauses_ms double precision[], p_tries_per_minute integer,
  out due_ms double precision)
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_next_try timestamptz;
  v_due timestamptz;
begin
  perform 1 from event_cursors c where c.company_id = p_company for update skip locked;
  if not found then
    return;
  end if;
  v_next_try := next_try_at(p_company, p_tries_per_minute);
  select min(w.due) into v_due from (
    -- An open breaker tries its endpoint as soon as its pause is over, with whatever waits.
    select greatest(n.open_until, case when n.proved_at is null then v_next_try end,
      v_now + p.pause_ms * interval '1 millisecond', case
      when n.opened_at is not null or (n.tested_at is null and n.proved_at is null) or early.is_there then v_now
      else least(free.next_attempt_at, held.claimed_until, n.probe_at) end) as due
    from endpoints n
    left join unnest(p_paused, p_pauses_ms) as p(endpoint_id, pause_ms) on p.endpoint_id = n.id
    left join lateral (
      select i.next_attempt_at from deliveries i
      where i.company_id = p_company and i.endpoint_id = n.id and i.status = 'pending'
        and (i.claimed_until is null or i.claimed_until <= v_now)
      order by i.next_attempt_at limit 1
    ) as free on true
    left join lateral (
      -- All that is due before the first free one is being sent, by somebody who may have died.
      select min(h.claimed_until) as claimed_until from (
        select i.claimed_until from deliveries i
        where i.company_id = p_company and i.endpoint_id = n.id and i.status = 'pending'
          and i.next_attempt_at <= coalesce(free.next_attempt_at, 'infinity') and i.claimed_until > v_now
        order by i.next_attempt_at
      ) as h
    ) as held on true
    left join lateral (
      select true as is_there from deliveries i
      where n.recovered_at is not null and i.company_id = p_company and i.endpoint_id = n.id and i.status = 'pending'
        and i.updated_at <= n.recovered_at and (i.claimed_until is null or i.claimed_until <= v_now)
      order by i.next_attempt_at limit 1
    ) as early on true
    where n.company_id = p_company and (free.next_attempt_at is not null or held.claimed_until is not null
      or (n.tested_at is null and n.proved_at is null))
  ) as w;
  update event_cursors as c set due_at = v_due where c.company_id = p_company and c.due_at is distinct from v_due;
  due_ms := greatest(0, extract(epoch from v_due - v_now) * 1000);
  if v_due is null then
    due_ms := null;
  end if;
end
$$;
