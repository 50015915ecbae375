-- Money asked of people. A charge is due until it is paid or dropped, one or the other and never both; what
-- was paid can be given back, never more than that.

alter table companies
  -- Parts per million, as for transfers.
  add column charge_fee_rate_ppm integer not null default 0,
  add column charge_amount_min bigint not null default 1,
  add column charge_amount_max bigint not null default 200000000,
  add constraint companies_charge_fee_rate_is_a_share check (charge_fee_rate_ppm between 0 and 999999),
  -- The upper bound keeps fee times refund within a bigint.
  add constraint companies_charge_amount_bounds check (
    charge_amount_min > 0 and charge_amount_max between charge_amount_min and 1000000000);

-- No foreign key to companies: every insert is anchored on the company's row.
create table charges (
  company_id uuid not null,
  id uuid not null,            -- its time is created_at, so a range of time is a range of ids
  external_id text not null,
  description text not null,
  amount bigint not null,
  fee bigint not null,         -- what the company will be credited less
  fee_rate_ppm integer not null,
  status text not null default 'due',
  dropped_reason text,
  paid bigint not null default 0,
  refunded bigint not null default 0,
  attempts integer not null default 0,
  metadata text,               -- JSON as text: returned as it was given, key order included
  sub_company_id uuid,
  on_canceled_redirection_url text not null,
  on_completed_redirection_url text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,  -- by this database's clock, which alone decides

  constraint charges_pk primary key (company_id, id),
  constraint charges_external_id_given check (external_id <> ''),
  constraint charges_amount_positive check (amount > 0),
  constraint charges_fee_within_amount check (fee between 0 and amount),
  constraint charges_paid_whole_or_not check (paid in (0, amount)),
  constraint charges_refunded_within_paid check (refunded between 0 and paid),
  constraint charges_reason_known check (dropped_reason in ('EXPIRED', 'CANCELED')),
  constraint charges_dropped_unpaid check (dropped_reason is null or paid = 0),
  constraint charges_status_follows_money check (status = case
    when dropped_reason is not null then 'dropped'
    when paid = 0 then 'due'
    when refunded = 0 then 'paid'
    when refunded < paid then 'refunded_partially'
    else 'refunded' end),
  -- Who paid, tried.
  constraint charges_attempts_counted check (attempts >= 0 and (paid = 0 or attempts > 0)),
  constraint charges_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id)
);

-- Conditional for the planner's sake: see the indexes of transfers.
create unique index charges_external_id_once on charges (company_id, external_id) where external_id <> '';
create index charges_by_status on charges (company_id, status, id) where status <> '';
-- The due ones, said without the word status, so that the index above is not considered with this one.
create index charges_by_expiry on charges (company_id, expires_at)
  where paid = 0 and dropped_reason is null;

-- Attempts to pay and refunds, each ended when it is written: append-only.
create table charge_transactions (
  company_id uuid not null,
  charge_id uuid not null,
  id uuid not null,            -- the subject of its postings and of its wallet entry
  type text not null,
  msisdn text not null,        -- the payer, digits, for matching
  msisdn_given text not null,  -- as it was written, for answering
  amount bigint not null,
  fee bigint not null,         -- what the company got less, or gave back less
  status text not null,
  error text,
  created_at timestamptz not null default clock_timestamp(),

  constraint charge_transactions_pk primary key (company_id, charge_id, id),
  constraint charge_transactions_charge foreign key (company_id, charge_id)
    references charges (company_id, id),
  constraint charge_transactions_type_known check (type in ('payment', 'refund')),
  constraint charge_transactions_amount_positive check (amount > 0),
  constraint charge_transactions_fee_within_amount check (fee between 0 and amount),
  constraint charge_transactions_status_known check (status in ('completed', 'failed')),
  constraint charge_transactions_error_when_failed check ((status = 'failed') = (error is not null)),
  constraint charge_transactions_error_known check (error in (
    'INSUFFICIENT_FUNDS', 'ACCOUNT_NOT_FOUND', 'TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT', 'DECLINED',
    'INTERNAL_ERROR')),
  -- A refund that cannot be made is refused, not written down.
  constraint charge_transactions_refunds_complete check (type = 'payment' or status = 'completed')
);
-- A charge is paid once, whoever tries to pay it again.
create unique index charge_transactions_paid_once on charge_transactions (company_id, charge_id)
  where type = 'payment' and status = 'completed';

create trigger charge_transactions_append_only before update or delete on charge_transactions
  for each row execute function refuse_change();
create trigger charge_transactions_not_truncated before truncate on charge_transactions
  for each statement execute function refuse_change();
revoke update, delete, truncate on charge_transactions from public;

-- The company has charges to look at from this moment on. The row is locked even when an earlier moment
-- stands there already; that is what makes it the lock of submit_charges.
create function mark_charge_work(p_company uuid, p_ready_at timestamptz) returns void
language sql
as $$
  insert into work as w (company_id, queue, ready_at) values (p_company, 'charges', p_ready_at)
  on conflict (company_id, queue) do update set ready_at = excluded.ready_at
  where w.ready_at > excluded.ready_at;
$$;

-- Creates charges, for one request or for many that came together. Returns only the rows that were NOT
-- created, with the reason; what is not returned is committed. No money moves, so it takes the mark in
-- `work` as its lock and not the company's money: it neither waits for transfers nor holds them up. Rows
-- are judged in their order. The caller sees to it that external ids and keys are different in one set.
create function submit_charges(
  p_company uuid,
  p_lifetime interval,
  p_ids uuid[],
  p_external_ids text[],
  p_descriptions text[],
  p_amounts bigint[],
  p_fees bigint[],
  p_fee_rates integer[],
  p_metadata text[],
  p_sub_companies uuid[],
  p_canceled_urls text[],
  p_completed_urls text[],
  p_created timestamptz[],
  p_keys text[],
  p_key_hashes bytea[],
  p_responses text[]
) returns table (place integer, problem text, existing_id uuid, status_code integer, response text)
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
as $$
declare
  v_count integer := cardinality(p_ids);
  v_expires timestamptz;
  v_existing uuid[];
  v_problems text[] := array_fill(null::text, array[v_count]);
  v_codes integer[];
  v_responses text[];
  v_new_keys text[];
begin
  -- Everything below sees what earlier holders committed.
  perform mark_charge_work(p_company, clock_timestamp() + p_lifetime);
  v_expires := clock_timestamp() + p_lifetime;

  -- A key that was used before answers before anything else is looked at. New keys are written first: one
  -- that another request holds right now is waited for here, and then it is a used one.
  if cardinality(array_remove(p_keys, null)) > 0 then
    with written as (
      insert into idempotency_keys as k (company_id, key, request_hash, status_code, response)
      select c.company_id, x.key, x.hash, 201, x.response
      from companies c, unnest(p_keys, p_key_hashes, p_responses) as x(key, hash, response)
      where c.company_id = p_company and x.key is not null
      order by x.key
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
  end if;

  if cardinality(array_remove(p_sub_companies, null)) > 0 then
    select array_agg(coalesce(x.problem, case
        when x.sub_company_id is null then null
        when s.id is null then 'sub_company_not_found'
        when not s.is_active then 'sub_company_inactive' end) order by x.place)
    into v_problems
    from unnest(v_problems, p_sub_companies) with ordinality as x(problem, sub_company_id, place)
    left join lateral (
      select i.id, i.is_active from sub_companies i
      where i.company_id = p_company and i.id = x.sub_company_id limit 1
    ) as s on true;
  end if;

  select array_agg(t.id order by x.place)
  into v_existing
  from unnest(p_external_ids) with ordinality as x(external_id, place)
  left join lateral (
    select i.id from charges i
    where i.company_id = p_company and i.external_id = x.external_id and i.external_id <> '' limit 1
  ) as t on true;
  if cardinality(array_remove(v_existing, null)) > 0 then
    select array_agg(coalesce(x.problem,
        case when x.existing is not null then 'duplicate_external_id' end) order by x.place)
    into v_problems
    from unnest(v_problems, v_existing) with ordinality as x(problem, existing, place);
  end if;

  if cardinality(array_remove(v_problems, null)) > 0 then
    return query
      select x.place::integer, x.problem, x.existing, x.code, x.response
      from unnest(v_problems, v_existing, v_codes, v_responses)
        with ordinality as x(problem, existing, code, response, place)
      where x.problem is not null;
    -- A refusal is not kept: it changed nothing, so the same key may ask again.
    if v_new_keys is not null then
      delete from idempotency_keys k where k.company_id = p_company and k.key = any (array(
        select x.key from unnest(p_keys, v_problems) as x(key, problem)
        where x.key = any (v_new_keys) and x.problem is not null));
    end if;
  end if;

  insert into charges as t (
    company_id, id, external_id, description, amount, fee, fee_rate_ppm, metadata, sub_company_id,
    on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at, expires_at)
  select c.company_id, x.id, x.external_id, x.description, x.amount, x.fee, x.fee_rate, x.metadata,
    x.sub_company_id, x.canceled_url, x.completed_url, x.created, x.created, v_expires
  from companies c,
    unnest(p_ids, p_external_ids, p_descriptions, p_amounts, p_fees, p_fee_rates, p_metadata,
      p_sub_companies, p_canceled_urls, p_completed_urls, p_created, v_problems)
      as x(id, external_id, description, amount, fee, fee_rate, metadata, sub_company_id,
        canceled_url, completed_url, created, problem)
  where c.company_id = p_company and x.problem is null;
end
$$;

-- The company's part of a payment, in one call and last: from its first line on, the company's other money
-- waits for the commit.
create function book_payment(
  p_company uuid, p_charge uuid, p_payment uuid, p_amount bigint, p_fee bigint, p_payload text
) returns void
language plpgsql
as $$
begin
  if p_amount > p_fee then
    perform post_movements(p_company, 'charge.paid', 'paid_out', 'available',
      array[p_payment], array[p_amount - p_fee]);
  end if;
  if p_fee > 0 then
    perform post_movements(p_company, 'charge.paid', 'paid_out', 'fees', array[p_payment], array[p_fee]);
  end if;
  perform publish_events(p_company, 'charge/events', array[p_charge], array[p_payload]);
end
$$;

-- The same way back. Refused with CA402 when the company has not enough left.
create function book_refund(
  p_company uuid, p_charge uuid, p_refund uuid, p_amount bigint, p_fee bigint, p_payload text
) returns void
language plpgsql
as $$
begin
  if p_amount > p_fee then
    perform post_movements(p_company, 'charge.refunded', 'available', 'paid_out',
      array[p_refund], array[p_amount - p_fee]);
  end if;
  if p_fee > 0 then
    perform post_movements(p_company, 'charge.refunded', 'fees', 'paid_out', array[p_refund], array[p_fee]);
  end if;
  perform publish_events(p_company, 'charge/events', array[p_charge], array[p_payload]);
end
$$;
