-- Money sent to people. A transfer is accepted (its money waits in flight), then completed or failed.

create table batches (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  sub_company_id uuid,
  total_amount bigint not null,
  total_fee bigint not null,
  size integer not null,
  completed_count integer not null default 0,
  failed_count integer not null default 0,
  status text not null default 'processing',
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint batches_pk primary key (company_id, id),
  constraint batches_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id),
  constraint batches_counts_fit check (completed_count + failed_count <= size),
  constraint batches_status_follows_counts check (status = case
    when completed_count + failed_count < size then 'processing'
    when failed_count = 0 then 'completed'
    when completed_count = 0 then 'failed'
    else 'partially_completed' end)
);

-- No foreign key to companies: every insert is anchored on the company's row.
create table transfers (
  company_id uuid not null,
  id uuid not null,            -- its time is created_at, so a range of time is a range of ids
  reference text not null,
  msisdn text not null,        -- digits, for matching
  msisdn_given text not null,  -- as the caller wrote it, for answering
  amount bigint not null,
  fee bigint not null,
  status text not null default 'pending',
  failure_reason text,
  description text,
  metadata text,               -- JSON as text: returned as it was given, key order included
  batch_id uuid,
  sub_company_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint transfers_pk primary key (company_id, id),
  constraint transfers_reference_given check (reference <> ''),
  constraint transfers_amount_positive check (amount > 0 and fee >= 0),
  constraint transfers_status_known check (status in ('pending', 'completed', 'failed')),
  constraint transfers_reason_when_failed check ((status = 'failed') = (failure_reason is not null)),
  constraint transfers_reason_known check (failure_reason in (
    'TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT', 'SERVICE_ACCOUNT_NOT_FOUND', 'INTERNAL_ERROR',
    'UNKNOWN_ERROR')),
  constraint transfers_batch foreign key (company_id, batch_id) references batches (company_id, id),
  constraint transfers_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id)
);

-- Every index below has a condition that is true of every row it is meant for. That is for the planner:
-- all of them begin with company_id, and where it expects few rows of a company (a new company, an empty
-- table) it holds them for equally good and reads the whole company through the wrong one (measured:
-- 700 instead of 13 000 transfers/s). An index whose condition a statement does not repeat is not
-- considered at all, so each statement has one index to choose from.
create unique index transfers_reference_once on transfers (company_id, reference) where reference <> '';
-- Serves the worker (pending, oldest first) and the lists by status.
create index transfers_by_status on transfers (company_id, status, id) where status <> '';
-- With the status before the id they serve two filters at once; a list of every status is one of each, merged.
create index transfers_by_msisdn on transfers (company_id, msisdn, status, id) where msisdn <> '';
create index transfers_by_batch on transfers (company_id, batch_id, id) where batch_id is not null;
create index transfers_by_sub_company on transfers (company_id, sub_company_id, status, id)
  where sub_company_id is not null;
-- What one person got from one sub-company: few, so their status needs no place of its own.
create index transfers_by_sub_company_and_msisdn on transfers (company_id, sub_company_id, msisdn, id)
  where sub_company_id is not null and msisdn <> '';

-- Accepts transfers: the only way money is reserved, for one request, for many that came together, and
-- for a batch (all or nothing). Returns only the rows that were NOT accepted, with the reason; what is
-- not returned is committed. The lookups are lateral with a limit, which leaves the planner no other way
-- than one probe of the whole key per row. Rows are judged in their order, so a set answers as if they had come one by
-- one. The caller sees to it that references and keys are different within one set.
create function submit_transfers(
  p_company uuid,
  p_all_or_nothing boolean,
  p_ids uuid[],
  p_references text[],
  p_msisdns text[],
  p_msisdns_given text[],
  p_amounts bigint[],
  p_fees bigint[],
  p_descriptions text[],
  p_metadata text[],
  p_sub_companies uuid[],
  p_created timestamptz[],
  p_payloads text[],
  p_keys text[],
  p_key_hashes bytea[],
  p_responses text[],
  p_batch uuid,
  p_batch_sub_company uuid
) returns table (place integer, problem text, existing_id uuid, status_code integer, response text)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
as $$
declare
  v_count integer := cardinality(p_ids);
  v_available bigint;
  v_total bigint;
  v_left bigint;
  v_existing uuid[];
  v_problems text[];
  v_codes integer[];
  v_responses text[];
  v_new_keys text[];
  v_ids uuid[];
  v_amounts bigint[];
  v_payloads text[];
begin
  -- The company's lock. Everything below sees what earlier holders committed.
  select a.balance into v_available from accounts a
  where a.company_id = p_company and a.kind = 'available' for update;
  if not found then
    raise exception 'company % has no books', p_company using errcode = 'CA404';
  end if;

  -- A key that was used before answers before anything else is looked at. New keys are written first: one
  -- that another request holds right now is waited for here, and then it is a used one.
  if cardinality(array_remove(p_keys, null)) > 0 then
    with written as (
      insert into idempotency_keys as k (company_id, key, request_hash, status_code, response)
      select c.company_id, x.key, x.hash, 201, x.response
      from companies c, unnest(p_keys, p_key_hashes, p_responses) as x(key, hash, response)
      where c.company_id = p_company and x.key is not null
      on conflict (company_id, key) do nothing
      returning k.key
    )
    select array_agg(w.key) into v_new_keys from written w;

    select
      array_agg(case
        when k.key is null then null
        when k.request_hash = x.hash then 'replayed'
        else 'idempotency_key_reused' end order by x.place),
      array_agg(k.status_code order by x.place),
      array_agg(k.response order by x.place)
    into v_problems, v_codes, v_responses
    from unnest(p_keys, p_key_hashes) with ordinality as x(key, hash, place)
    left join lateral (
      select i.key, i.request_hash, i.status_code, i.response from idempotency_keys i
      where i.company_id = p_company and i.key = x.key and x.key <> all (coalesce(v_new_keys, '{}')) limit 1
    ) as k on true;
    -- A batch carries its key on its first row: the first answer stands, whatever has changed since.
    if p_all_or_nothing and v_problems[1] is not null then
      return query select 1, v_problems[1], null::uuid, v_codes[1], v_responses[1];
      return;
    end if;
  end if;

  if p_batch_sub_company is not null then
    -- Place 0 is the batch itself: its rows may all name other sub-companies.
    return query
      select 0, case when s.id is null then 'sub_company_not_found' else 'sub_company_inactive' end,
        null::uuid, null::integer, null::text
      from companies c
      left join sub_companies s on s.company_id = c.company_id and s.id = p_batch_sub_company
      where c.company_id = p_company and s.is_active is not true;
    if found then
      delete from idempotency_keys k where k.company_id = p_company and k.key = any (v_new_keys);
      return;
    end if;
  end if;

  if cardinality(array_remove(p_sub_companies, null)) > 0 then
    select array_agg(coalesce(x.problem, case
        when x.sub_company_id is null then null
        when s.id is null then 'sub_company_not_found'
        when not s.is_active then 'sub_company_inactive' end) order by x.place)
    into v_problems
    from unnest(coalesce(v_problems, array_fill(null::text, array[v_count])), p_sub_companies)
      with ordinality as x(problem, sub_company_id, place)
    left join lateral (
      select i.id, i.is_active from sub_companies i
      where i.company_id = p_company and i.id = x.sub_company_id limit 1
    ) as s on true;
  end if;

  select array_agg(t.id order by x.place), sum(x.amount + x.fee)
  into v_existing, v_total
  from unnest(p_references, p_amounts, p_fees) with ordinality as x(reference, amount, fee, place)
  left join lateral (
    select i.id from transfers i
    where i.company_id = p_company and i.reference = x.reference and i.reference <> '' limit 1
  ) as t on true;

  if cardinality(array_remove(v_existing, null)) > 0 then
    select array_agg(coalesce(x.problem,
        case when x.existing is not null then 'duplicate_reference' end) order by x.place)
    into v_problems
    from unnest(coalesce(v_problems, array_fill(null::text, array[v_count])), v_existing)
      with ordinality as x(problem, existing, place);
  end if;

  if cardinality(array_remove(v_problems, null)) = 0 then
    v_problems := null;
  end if;

  -- Rows with a problem take no money; what remains is served in order, each as far as the money goes.
  if v_total > v_available and not (p_all_or_nothing and v_problems is not null) then
    v_problems := coalesce(v_problems, array_fill(null::text, array[v_count]));
    v_left := v_available;
    for i in 1 .. v_count loop
      if v_problems[i] is null then
        if p_amounts[i] + p_fees[i] <= v_left then
          v_left := v_left - p_amounts[i] - p_fees[i];
        else
          v_problems[i] := 'insufficient_funds';
        end if;
      end if;
    end loop;
    if cardinality(array_remove(v_problems, null)) = 0 then
      v_problems := null;
    end if;
  end if;

  if v_problems is not null then
    return query
      select x.place::integer, x.problem, x.existing, x.code, x.response
      from unnest(v_problems, v_existing, v_codes, v_responses)
        with ordinality as x(problem, existing, code, response, place)
      where x.problem is not null;
    -- A refusal is not kept: it changed nothing, so the same key may ask again.
    if v_new_keys is not null then
      delete from idempotency_keys k where k.company_id = p_company and k.key = any (array(
        select x.key from unnest(p_keys, v_problems) as x(key, problem)
        where x.key = any (v_new_keys) and (p_all_or_nothing or x.problem is not null)));
    end if;
    if p_all_or_nothing or cardinality(array_remove(v_problems, null)) = v_count then
      return;
    end if;
    select array_agg(x.id order by x.place), array_agg(x.amount + x.fee order by x.place),
      array_agg(x.payload order by x.place)
    into v_ids, v_amounts, v_payloads
    from unnest(p_ids, p_amounts, p_fees, p_payloads, v_problems)
      with ordinality as x(id, amount, fee, payload, problem, place)
    where x.problem is null;
  else
    select array_agg(x.amount + x.fee order by x.place)
    into v_amounts
    from unnest(p_amounts, p_fees) with ordinality as x(amount, fee, place);
    v_ids := p_ids;
    v_payloads := p_payloads;
  end if;

  if p_batch is not null then
    insert into batches as b (
      company_id, id, sub_company_id, total_amount, total_fee, size, created_at, updated_at)
    select c.company_id, p_batch, p_batch_sub_company, sum(x.amount), sum(x.fee), v_count,
      min(x.created), min(x.created)
    from companies c, unnest(p_amounts, p_fees, p_created) as x(amount, fee, created)
    where c.company_id = p_company
    group by c.company_id;
  end if;

  insert into transfers as t (
    company_id, id, reference, msisdn, msisdn_given, amount, fee, description, metadata, batch_id,
    sub_company_id, created_at, updated_at)
  select c.company_id, x.id, x.reference, x.msisdn, x.msisdn_given, x.amount, x.fee, x.description,
    x.metadata, p_batch, x.sub_company_id, x.created, x.created
  from companies c,
    unnest(p_ids, p_references, p_msisdns, p_msisdns_given, p_amounts, p_fees, p_descriptions,
      p_metadata, p_sub_companies, p_created, v_problems)
      as x(id, reference, msisdn, msisdn_given, amount, fee, description, metadata, sub_company_id,
        created, problem)
  where c.company_id = p_company and x.problem is null;

  perform publish_events(p_company, 'transactions/started', v_ids, v_payloads);

  -- Where it is marked already the row is only locked, not written again: whoever gives the company back
  -- waits for that lock, and then sees what was added.
  insert into work as w (company_id, queue, ready_at) values (p_company, 'transfers', now())
  on conflict (company_id, queue) do update set ready_at = excluded.ready_at
  where w.ready_at > excluded.ready_at;

  perform post_movements(
    p_company, 'transfer.reserved', 'available', 'in_flight', v_ids, v_amounts);
end
$$;

-- Ends transfers: completed where no reason is given, failed otherwise. Ids that are no longer pending
-- are passed over, so a worker that comes late or twice changes nothing. Returns what it ended.
create function settle_transfers(
  p_company uuid, p_at timestamptz, p_ids uuid[], p_reasons text[], p_payloads text[]
) returns table (settled_id uuid, reason text)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
as $$
declare
  v_ids uuid[];
  v_reasons text[];
  v_payloads text[];
  v_amounts bigint[];
  v_fees bigint[];
  v_batches uuid[];
  v_reason text;
begin
  perform 1 from accounts a
  where a.company_id = p_company and a.kind = 'available' for update;

  select array_agg(t.id order by x.place), array_agg(x.reason order by x.place),
    array_agg(x.payload order by x.place), array_agg(t.amount order by x.place),
    array_agg(t.fee order by x.place), array_agg(t.batch_id order by x.place)
  into v_ids, v_reasons, v_payloads, v_amounts, v_fees, v_batches
  from unnest(p_ids, p_reasons, p_payloads) with ordinality as x(id, reason, payload, place)
  cross join lateral (
    select i.id, i.amount, i.fee, i.batch_id from transfers i
    where i.company_id = p_company and i.id = x.id and i.status = 'pending' limit 1
  ) as t;
  if v_ids is null then
    return;
  end if;

  update transfers set status = 'completed', updated_at = p_at
  where company_id = p_company and id = any (
    array(select x.id from unnest(v_ids, v_reasons) as x(id, reason) where x.reason is null));
  for v_reason in select distinct x.reason from unnest(v_reasons) as x(reason) where x.reason is not null loop
    update transfers set status = 'failed', failure_reason = v_reason, updated_at = p_at
    where company_id = p_company and id = any (
      array(select x.id from unnest(v_ids, v_reasons) as x(id, reason) where x.reason = v_reason));
  end loop;

  if cardinality(array_remove(v_batches, null)) > 0 then
    update batches as b
    set completed_count = b.completed_count + x.completed,
      failed_count = b.failed_count + x.failed,
      status = case
        when b.completed_count + b.failed_count + x.completed + x.failed < b.size then 'processing'
        when b.failed_count + x.failed = 0 then 'completed'
        when b.completed_count + x.completed = 0 then 'failed'
        else 'partially_completed' end,
      updated_at = p_at
    from (
      select y.batch_id, count(*) filter (where y.reason is null)::integer as completed,
        count(y.reason)::integer as failed
      from unnest(v_batches, v_reasons) as y(batch_id, reason)
      where y.batch_id is not null
      group by y.batch_id
    ) as x
    where b.company_id = p_company and b.id = x.batch_id;
  end if;

  perform publish_events(p_company, 'transactions/completed',
    array_agg(x.id order by x.place), array_agg(x.payload order by x.place))
  from unnest(v_ids, v_payloads, v_reasons) with ordinality as x(id, payload, reason, place)
  where x.reason is null;
  perform publish_events(p_company, 'transactions/failed',
    array_agg(x.id order by x.place), array_agg(x.payload order by x.place))
  from unnest(v_ids, v_payloads, v_reasons) with ordinality as x(id, payload, reason, place)
  where x.reason is not null;

  perform post_movements(p_company, 'transfer.completed', 'in_flight', 'paid_out',
    array_agg(x.id order by x.place), array_agg(x.amount order by x.place))
  from unnest(v_ids, v_amounts, v_reasons) with ordinality as x(id, amount, reason, place)
  where x.reason is null;
  perform post_movements(p_company, 'transfer.completed', 'in_flight', 'fees',
    array_agg(x.id order by x.place), array_agg(x.fee order by x.place))
  from unnest(v_ids, v_fees, v_reasons) with ordinality as x(id, fee, reason, place)
  where x.reason is null and x.fee > 0;
  perform post_movements(p_company, 'transfer.released', 'in_flight', 'available',
    array_agg(x.id order by x.place), array_agg(x.amount + x.fee order by x.place))
  from unnest(v_ids, v_amounts, v_fees, v_reasons)
    with ordinality as x(id, amount, fee, reason, place)
  where x.reason is not null;

  return query select x.id, x.reason from unnest(v_ids, v_reasons) as x(id, reason);
end
$$;
