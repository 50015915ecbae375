-- What keys may pay out without a person, and what becomes of the rest.

-- Holds what is more than the company's keys may pay out within a day, and answers what is not held. p_ids with p_amounts, fees
-- included, are in the order in which they came. A batch is held as a whole or not at all; of single ones each for itself, and one
-- that is too large does not use up what is left for those behind it. The caller holds the company's lock, so of any number of nodes
-- none lets more go. An hour counts until a day after its end: in no 24 hours is it more than p_max.
create or replace function hold_back(
  p_company uuid, p_max bigint, p_ms bigint, p_is_batch boolean, p_ids uuid[], p_amounts bigint[]
) returns uuid[]
language plpgsql
as $$
declare
  v_at timestamptz := to_timestamp(p_ms / 1000.0);
  v_hour timestamptz := date_trunc('hour', to_timestamp(p_ms / 1000.0), 'UTC');
  v_left bigint;
  v_spent bigint := 0;
  v_free uuid[] := '{}';
  v_held uuid[] := '{}';
begin
  select p_max - coalesce(sum(h.francs), 0) into v_left from keys_alone_hours h
  where h.company_id = p_company and h.hour > v_at - interval '25 hours';
  if p_is_batch then
    select sum(x.amount) into v_spent from unnest(p_amounts) as x(amount);
    if v_spent <= v_left then
      v_free := p_ids;
    else
      v_spent := 0;
      v_held := p_ids;
    end if;
  else
    for i in 1 .. cardinality(p_ids) loop
      if p_amounts[i] <= v_left then
        v_left := v_left - p_amounts[i];
        v_spent := v_spent + p_amounts[i];
        v_free := v_free || p_ids[i];
      else
        v_held := v_held || p_ids[i];
      end if;
    end loop;
  end if;

  if v_spent > 0 then
    delete from keys_alone_hours as h where h.company_id = p_company and h.hour <= v_at - interval '25 hours';
    insert into keys_alone_hours as h (company_id, hour, francs)
    select c.company_id, v_hour, v_spent from companies c where c.company_id = p_company
    on conflict (company_id, hour) do update set francs = h.francs + excluded.francs;
  end if;
  insert into held_transfers as q (company_id, id)
  select c.company_id, x.id from companies c, unnest(v_held) as x(id) where c.company_id = p_company;
  return v_free;
end
$$;

-- Carries out what a person has decided about transfers that are held, in the transaction of the decision: they come into the queue,
-- or they end as failed and their money goes back. That is done with exactly those that p_decision was the first to decide about;
-- should one of them be decided already, all of it is taken back (CA003).
--
-- Whoever settles goes on above settled_upto, which others have moved past these. So that is moved back first, which waits for
-- whoever settles right now, and nobody else settles before the commit.
create or replace function end_hold(p_company uuid, p_decision uuid, p_is_approved boolean, p_ids uuid[]) returns void
language plpgsql
as $$
declare
  v_first uuid;
  v_decided integer;
  v_ids uuid[];
  v_msisdns text[];
  v_amounts bigint[];
  v_fees bigint[];
  v_batches uuid[];
  v_subs uuid[];
begin
  if p_is_approved then
    select x.id into v_first from unnest(p_ids) as x(id) order by x.id limit 1;
    -- Below the first, and above whatever came a millisecond before it.
    v_first := (left(v_first::text, 19) || '0000-000000000000')::uuid;
    update settling as s set settled_upto = least(s.settled_upto, v_first) where s.company_id = p_company;
  end if;
  with decided as (
    update held_transfers as q set decision_id = p_decision
    where q.company_id = p_company and q.id = any (p_ids) and q.decision_id is null
    returning q.id
  )
  select count(*) into v_decided from decided;
  if v_decided <> cardinality(p_ids) then
    raise exception '% transfers of company % were to be decided and % were held', cardinality(p_ids), p_company, v_decided
      using errcode = 'CA003';
  end if;
  if p_is_approved then
    insert into pending_transfers as q (company_id, id)
    select c.company_id, x.id from companies c, unnest(p_ids) as x(id) where c.company_id = p_company;
    return;
  end if;
  select array_agg(t.id order by t.id), array_agg(t.msisdn order by t.id), array_agg(t.amount order by t.id),
    array_agg(t.fee order by t.id), array_agg(t.batch_id order by t.id), array_agg(t.sub_company_id order by t.id)
  into v_ids, v_msisdns, v_amounts, v_fees, v_batches, v_subs
  from unnest(p_ids) as q(id)
  cross join lateral (
    select i.* from transfers i where i.company_id = p_company and i.id = q.id limit 1
  ) as t;
  perform end_transfers(p_company, v_ids, v_msisdns, v_amounts, v_fees, v_batches, v_subs,
    array_fill('UNKNOWN_ERROR'::failure_reason, array[cardinality(v_ids)]));
end
$$;
