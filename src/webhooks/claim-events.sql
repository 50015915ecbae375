-- A node takes the next events of a company, at most p_limit, in the order they happened, to tell them at once to
-- the endpoints in p_direct. For those nothing is written before the first attempt but one row of claims; the answer
-- has what is to be told. Everything else is written down as deliveries: for endpoints that are not in p_direct, for
-- webhooks that are disabled (as cancelled, so that it can be replayed), and for objects that have to wait behind
-- something earlier at the same address.
--
-- The first attempt is made p_delay_ms after this moment: a caller has its answer before it hears of it.
--
-- p_held are the claims that the node has in hand. Another one that bears its name was made by a call whose answer it
-- never got, so nobody tells what it covers: it is given up like one that ran out.
--
-- Nobody waits for a neighbour: a company whose deliveries are locked is passed over.
create or replace function claim_events(
  p_company uuid,
  p_node uuid,
  p_claim uuid,
  p_held uuid[],
  p_direct uuid[],
  p_limit integer,
  p_now_ms bigint,             -- the node's time, which the deliveries will bear
  p_delay_ms integer,
  p_claimed_for_ms integer,
  p_superseded_after integer
) returns table (webhook_id uuid, event_number bigint, subject_id uuid, happened_ms bigint, payload text)
language plpgsql
-- Its plans cannot go wrong, and with arrays the planner would make most of them anew each time.
set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_due_at timestamptz := clock_timestamp() + p_delay_ms * interval '1 millisecond';
  v_until timestamptz := clock_timestamp() + p_claimed_for_ms * interval '1 millisecond';
  v_after bigint;
  v_upto bigint;
  v_must_write boolean;
begin
  select c.last_event into v_after from event_cursors c where c.company_id = p_company for update skip locked;
  if not found then
    return;
  end if;
  perform give_up_claims(p_company, p_node, p_held, v_after, p_superseded_after);
  -- What is between the cursor and the next event that is kept was forgotten, while nobody listened.
  select greatest(v_after, r.last_number - cardinality(r.subject_ids)) into v_after from event_runs r
  where r.company_id = p_company and r.last_number > v_after order by r.last_number limit 1;
  if not found then
    return;
  end if;
  -- The books are written together with the events that they count.
  select least(b.last_event, v_after + p_limit) into v_upto from books b where b.company_id = p_company;
  update event_cursors as c set last_event = v_upto where c.company_id = p_company;

  v_must_write := must_write(p_company, p_node, p_direct);
  if v_must_write then
    perform write_new_deliveries(p_company, p_node, p_direct, v_after, v_upto, v_due_at);
    perform note_ends(p_company, v_after, v_upto, p_superseded_after);
  end if;
  return query
    select w.id, e.number, e.subject_id, (extract(epoch from e.created_at) * 1000)::bigint, e.payload
    from (
      select i.number, i.subject_id, i.created_at, i.topic, i.payload from events i
      where i.company_id = p_company and i.last_number > v_after and i.last_number < v_upto + 64
        and i.number > v_after and i.number <= v_upto
      order by i.last_number limit v_upto - v_after
    ) as e
    join webhooks w on w.company_id = p_company and w.topic = e.topic and w.from_event < e.number
      and w.disabled_at is null and w.endpoint_id = any (p_direct)
    left join lateral (
      select true as is_written from deliveries i
      where v_must_write and i.company_id = p_company and i.webhook_id = w.id and i.event_number = e.number
      limit 1
    ) as d on true
    where d.is_written is null
    order by e.number, w.id;
  if found then
    insert into claims as k (
      company_id, id, node_id, first_event, last_event, endpoints, due_at, claimed_until, created_at)
    select c.company_id, p_claim, p_node, v_after + 1, v_upto, p_direct, v_due_at, v_until, moment(p_now_ms)
    from companies c where c.company_id = p_company;
  end if;
end
$$;

-- Whether anything of the next events has to be written down. In a company whose receivers all answer, nothing has.
create or replace function must_write(p_company uuid, p_node uuid, p_direct uuid[]) returns boolean
language plpgsql
as $$
declare
  v_busy uuid[] := busy_endpoints(p_company, p_direct);
begin
  return cardinality(v_busy) > 0
    or exists (select 1 from claims c where c.company_id = p_company and c.node_id <> p_node)
    or exists (
      select 1 from webhooks w
      where w.company_id = p_company and (w.disabled_at is not null or w.endpoint_id <> all (p_direct)));
end
$$;

-- Writes down what claim_events cannot hand out. What is in the hand of a node counts as unfinished too: at the same
-- address the same object waits behind it. Only the node itself may take more of an object of which it has some in
-- hand, because it keeps them in order.
create or replace function write_new_deliveries(
  p_company uuid, p_node uuid, p_direct uuid[], p_after bigint, p_upto bigint, p_due_at timestamptz
) returns void
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_busy uuid[] := busy_endpoints(p_company, p_direct);
  v_others uuid[];
  v_hand_endpoints uuid[];
  v_hand_subjects uuid[];
  v_hand_nodes uuid[];
  v_webhooks uuid[];
  v_numbers bigint[];
  v_subjects uuid[];
  v_waits boolean[];
begin
  -- At p_direct it matters only what other nodes have.
  if not exists (select 1 from claims c where c.company_id = p_company and c.node_id <> p_node) then
    v_others := array(
      select w.endpoint_id from webhooks w where w.company_id = p_company and w.endpoint_id <> all (p_direct));
  end if;
  select array_agg(h.endpoint_id), array_agg(h.subject_id), array_agg(h.node_id)
  into v_hand_endpoints, v_hand_subjects, v_hand_nodes
  from deliveries_in_hand(p_company, v_others, null) as h;

  select array_agg(n.webhook_id), array_agg(n.event_number), array_agg(n.subject_id), array_agg(n.waits)
  into v_webhooks, v_numbers, v_subjects, v_waits
  from (
    select m.webhook_id, m.event_number, m.endpoint_id, m.subject_id, m.is_direct,
      bool_or(m.node_id is not null) over object as waits,
      bool_or(m.node_id <> p_node) over object as waits_for_another
    from (
      select w.id as webhook_id, e.number as event_number, w.endpoint_id, e.subject_id, null::uuid as node_id,
        w.disabled_at is null and w.endpoint_id = any (p_direct) as is_direct
      from (
        select i.number, i.subject_id, i.topic from events i
        where i.company_id = p_company and i.last_number > p_after and i.last_number < p_upto + 64
          and i.number > p_after and i.number <= p_upto
        order by i.last_number limit p_upto - p_after
      ) as e
      join webhooks w on w.company_id = p_company and w.topic = e.topic and w.from_event < e.number
      union all
      select null, null, h.endpoint_id, h.subject_id, h.node_id, false
      from unnest(v_hand_endpoints, v_hand_subjects, v_hand_nodes) as h(endpoint_id, subject_id, node_id)
    ) as m
    window object as (partition by m.endpoint_id, m.subject_id)
  ) as n
  left join lateral (
    select true as is_there from deliveries i
    where n.endpoint_id = any (v_busy)
      and i.company_id = p_company and i.endpoint_id = n.endpoint_id and i.subject_id = n.subject_id
      and i.status in ('pending', 'blocked') and i.event_number > 0
    order by i.event_number, i.webhook_id limit 1
  ) as b on true
  where n.webhook_id is not null and (not n.is_direct or n.waits_for_another or b.is_there);

  perform write_deliveries(p_company, v_webhooks, v_numbers, v_subjects, null, null, v_waits, p_due_at);
end
$$;

-- Writes down what claims cover that nobody tells: those that have run out, because their node may have died, and those
-- of p_node that it does not have. What is in hand under another claim goes first, at the same address.
create or replace function give_up_claims(
  p_company uuid, p_node uuid, p_held uuid[], p_cursor bigint, p_superseded_after integer
) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_claims uuid[];
  v_webhooks uuid[];
  v_numbers bigint[];
  v_endpoints uuid[];
  v_subjects uuid[];
  v_created timestamptz[];
  v_waits boolean[];
  v_written bigint;
begin
  select array_agg(c.id) into v_claims from claims c
  where c.company_id = p_company and (c.claimed_until < v_now or (c.node_id = p_node and c.id <> all (p_held)));
  if v_claims is null then
    return;
  end if;
  select array_agg(g.webhook_id), array_agg(g.event_number), array_agg(g.endpoint_id), array_agg(g.subject_id),
    array_agg(g.created_at), array_agg(g.waits)
  into v_webhooks, v_numbers, v_endpoints, v_subjects, v_created, v_waits
  from (
    select h.webhook_id, h.event_number, h.endpoint_id, h.subject_id, h.created_at, h.claim_id,
      bool_or(h.claim_id <> all (v_claims)) over (partition by h.endpoint_id, h.subject_id) as waits
    from deliveries_in_hand(p_company, null, null) as h
  ) as g
  where g.claim_id = any (v_claims);
  v_written := write_deliveries(p_company, v_webhooks, v_numbers, v_subjects, v_created, null, v_waits, v_now);
  perform note_ends(p_company, v_written, p_cursor, p_superseded_after);
  delete from claims as c where c.company_id = p_company and c.id = any (v_claims);
  -- What was given up before them may have waited for one of these, which nobody has in hand any more.
  perform unblock_deliveries(p_company, v_endpoints, v_subjects);
end
$$;

-- What is in the hand of nodes: the events that claims cover, for each webhook that has to hear of them and has no
-- delivery of them yet. is_behind: an earlier one of the same object is in hand too. p_endpoints, p_claims: of these
-- alone; null: of all.
create or replace function deliveries_in_hand(p_company uuid, p_endpoints uuid[], p_claims uuid[])
returns table (
  webhook_id uuid, endpoint_id uuid, event_number bigint, subject_id uuid, claim_id uuid, node_id uuid,
  due_at timestamptz, created_at timestamptz, is_behind boolean)
language plpgsql stable
as $$
begin
  return query
    select w.id, w.endpoint_id, e.number, e.subject_id, c.id, c.node_id, c.due_at, c.created_at,
      lag(e.number) over (partition by w.endpoint_id, e.subject_id order by e.number, w.id) is not null
    from claims c
    cross join lateral (
      select i.number, i.subject_id, i.topic from events i
      where i.company_id = p_company and i.last_number >= c.first_event and i.last_number < c.last_event + 64
        and i.number >= c.first_event and i.number <= c.last_event
      order by i.last_number limit c.last_event - c.first_event + 1
    ) as e
    join webhooks w on w.company_id = p_company and w.topic = e.topic and w.from_event < e.number
      and w.endpoint_id = any (c.endpoints)
    left join lateral (
      select true as is_written from deliveries i
      where i.company_id = p_company and i.webhook_id = w.id and i.event_number = e.number
      limit 1
    ) as d on true
    where c.company_id = p_company and d.is_written is null and (p_claims is null or c.id = any (p_claims))
      and (p_endpoints is null or (c.endpoints && p_endpoints and w.endpoint_id = any (p_endpoints)));
end
$$;

-- A claim goes when each of its deliveries has a row.
create or replace function end_claims(p_company uuid, p_claims uuid[]) returns void
language plpgsql
as $$
declare
  v_open uuid[];
begin
  if cardinality(p_claims) = 0 then
    return;
  end if;
  v_open := array(select distinct h.claim_id from deliveries_in_hand(p_company, null, p_claims) as h);
  delete from claims as c where c.company_id = p_company and c.id = any (p_claims) and c.id <> all (v_open);
end
$$;
