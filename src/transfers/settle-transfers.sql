-- Settles what a company has pending, oldest first: at most p_limit transfers, or p_only alone. It commits by itself.
-- Whoever settles deletes the transfers from the queue, and credits, ends, tells and posts exactly what was deleted, all
-- in this one transaction. So a transfer ends once, whoever was stopped, held up or thought dead meanwhile. The
-- company's books come last, because accepting new transfers waits for them.
--
-- Nobody waits for a neighbour: a company that somebody else is settling is passed over (looked_at is null), and transfers
-- to a wallet that somebody else holds stay pending and are counted as busy, unless p_wait is set. No lock is waited for
-- longer than p_patience_ms (55P03), so that the wallets in hand are free again soon. With p_force, what is found ends
-- with that reason and no wallet is touched. So does everything of a frozen company; one that is frozen while its set is
-- under way is refused by its books at the end (CA403), and all of the set is taken back.
create or replace function settle_transfers(
  p_company uuid,
  p_limit integer,
  p_only uuid,
  p_force failure_reason,
  p_wait boolean,
  p_patience_ms integer,
  p_ceiling_complete bigint,
  p_ceiling_other bigint,
  p_succeeding_test text,
  p_failing_test text,
  out looked_at integer,        -- how many it looked at; null: somebody else is settling
  out busy integer,             -- how many of them stay pending
  out reasons failure_reason[]  -- one for each that ended; null: completed
)
language plpgsql
as $$
declare
  v_after uuid;
  v_window uuid[];
  v_ids uuid[];
  v_msisdns text[];
  v_amounts bigint[];
  v_fees bigint[];
  v_batches uuid[];
  v_subs uuid[];
  v_sub_names text[];
  v_sub_logos text[];
  v_descriptions text[];
  v_busy text[] := '{}';
  v_more_busy text[];
  v_deleted integer;
begin
  perform set_config('lock_timeout', p_patience_ms::text, true);
  select s.settled_upto into v_after from settling s where s.company_id = p_company for update skip locked;
  if not found then
    return;
  end if;
  if exists (select 1 from books b where b.company_id = p_company and b.is_frozen) then
    p_force := coalesce(p_force, 'UNKNOWN_ERROR');
  end if;
  v_window := array(
    select p.id from pending_transfers p
    where p.company_id = p_company and p.id > v_after and (p_only is null or p.id = p_only)
    order by p.id limit p_limit);
  looked_at := cardinality(v_window);
  busy := 0;

  loop
    -- Sorted by wallet, and for each wallet in the order in which they came.
    select array_agg(t.id order by t.msisdn, t.id), array_agg(t.msisdn order by t.msisdn, t.id),
      array_agg(t.amount order by t.msisdn, t.id), array_agg(t.fee order by t.msisdn, t.id),
      array_agg(t.batch_id order by t.msisdn, t.id), array_agg(t.sub_company_id order by t.msisdn, t.id),
      array_agg(s.name order by t.msisdn, t.id), array_agg(s.logo_url order by t.msisdn, t.id),
      array_agg(t.description order by t.msisdn, t.id)
    into v_ids, v_msisdns, v_amounts, v_fees, v_batches, v_subs, v_sub_names, v_sub_logos, v_descriptions
    from unnest(v_window) as q(id)
    cross join lateral (
      select i.* from transfers i where i.company_id = p_company and i.id = q.id limit 1
    ) as t
    left join lateral (
      select i.name, i.logo_url from sub_companies i
      where i.company_id = p_company and i.id = t.sub_company_id limit 1
    ) as s on true
    where t.msisdn <> all (v_busy);
    busy := looked_at - coalesce(cardinality(v_ids), 0);
    if v_ids is null then
      return;
    end if;
    if p_force is not null then
      reasons := array_fill(p_force, array[cardinality(v_ids)]);
      exit;
    end if;
    select c.refusals, c.busy into reasons, v_more_busy from credit_wallets(
      'transfer.completed', p_company, v_msisdns, v_ids, v_amounts, v_sub_names, v_sub_logos, v_descriptions,
      p_wait, p_ceiling_complete, p_ceiling_other, p_succeeding_test, p_failing_test) as c;
    exit when v_more_busy is null;
    v_busy := v_busy || v_more_busy;
  end loop;

  -- The second wall behind the lock above: what was credited and what leaves the queue are the same transfers.
  with deleted as (
    delete from pending_transfers as p where p.company_id = p_company and p.id = any (v_ids) returning p.id
  )
  select count(*) into v_deleted from deleted;
  if v_deleted <> cardinality(v_ids) then
    raise exception '% transfers of company % were credited and % were pending', cardinality(v_ids), p_company, v_deleted
      using errcode = 'CA003';
  end if;
  -- Everything up to the first that stays has left the queue.
  if busy = 0 then
    v_after := v_window[looked_at];
  else
    for i in 1 .. looked_at loop
      exit when v_window[i] <> all (v_ids);
      v_after := v_window[i];
    end loop;
  end if;
  if p_only is null then
    update settling as s set settled_upto = v_after where s.company_id = p_company;
  end if;
  perform end_transfers(p_company, v_ids, v_msisdns, v_amounts, v_fees, v_batches, v_subs, reasons);
end
$$;

-- Writes down how transfers ended: completed where there is no reason, failed otherwise. Their outcomes, the counts of
-- their batches, the events and the postings. What did not fail has been credited by the caller.
create or replace function end_transfers(
  p_company uuid, p_ids uuid[], p_msisdns text[], p_amounts bigint[], p_fees bigint[], p_batches uuid[], p_subs uuid[],
  p_reasons failure_reason[]
) returns void
language plpgsql
as $$
declare
  v_at timestamptz;
  v_failed integer := cardinality(p_reasons) - cardinality(array_positions(p_reasons, null));
  v_ended uuid[];  -- batches of which these were the last
  v_returned uuid[];  -- transfers that failed, what goes back for each, and its facts
  v_amounts bigint[];
  v_facts text[];
  v_books books;   -- as they were read
  v_made books;    -- and what became of them
begin
  -- Under the company's lock, and not before what was posted last: no transfer ends before it was made, whatever the clock does.
  select * into v_books from books b where b.company_id = p_company for update;
  v_at := greatest(v_books.posted_at, date_trunc('milliseconds', clock_timestamp()));
  v_books.posted_at := v_at;

  insert into outcomes as o (company_id, id, ended_at, status, failure_reason, failed_msisdn, failed_sub_company_id)
  select c.company_id, x.id, v_at, case when x.reason is null then 'completed' else 'failed' end::transfer_outcome,
    x.reason, case when x.reason is not null then x.msisdn end, case when x.reason is not null then x.sub_id end
  from companies c, unnest(p_ids, p_msisdns, p_subs, p_reasons) as x(id, msisdn, sub_id, reason)
  where c.company_id = p_company
  order by x.id;  -- as the indexes are, so that their pages fill up

  if cardinality(array_remove(p_batches, null)) > 0 then
    with counted as (
      update batches as b
      set completed_count = b.completed_count + x.completed,
        failed_count = b.failed_count + x.failed,
        completed_amount = b.completed_amount + x.completed_amount,
        failed_amount = b.failed_amount + x.failed_amount,
        completed_fee = b.completed_fee + x.completed_fee,
        status = case
          when b.completed_count + b.failed_count + x.completed + x.failed < b.size then 'processing'::batch_status
          when b.failed_count + x.failed = 0 then 'completed'
          when b.completed_count + x.completed = 0 then 'failed'
          else 'partially_completed' end,
        updated_at = v_at
      from (
        select y.batch_id, count(*) filter (where y.reason is null)::integer as completed,
          count(y.reason)::integer as failed,
          coalesce(sum(y.amount) filter (where y.reason is null), 0)::bigint as completed_amount,
          coalesce(sum(y.amount) filter (where y.reason is not null), 0)::bigint as failed_amount,
          coalesce(sum(y.fee) filter (where y.reason is null), 0)::bigint as completed_fee
        from unnest(p_batches, p_amounts, p_fees, p_reasons) as y(batch_id, amount, fee, reason)
        where y.batch_id is not null
        group by y.batch_id
      ) as x
      where b.company_id = p_company and b.id = x.batch_id
      returning b.id, b.status
    )
    select array_agg(c.id) into v_ended from counted c where c.status <> 'processing';
  end if;

  if v_failed = 0 then
    v_made := add_events(v_books, 'transactions/completed', p_ids);
    v_made := add_postings(v_made, 'transfer.completed', 'in_flight', 'paid_out', p_ids, p_amounts, '{}');
  else
    v_made := (
      select add_postings(add_events(v_books, 'transactions/completed', array_agg(x.id)),
        'transfer.completed', 'in_flight', 'paid_out', array_agg(x.id), array_agg(x.amount), '{}')
      from unnest(p_ids, p_amounts, p_reasons) as x(id, amount, reason) where x.reason is null);
    select array_agg(x.id), array_agg(x.amount + x.fee),
      array_agg(facts_text(-x.fee, null, coalesce(t.reference_given, t.reference), null,
        case when t.msisdn_has_plus then '+' || t.msisdn else t.msisdn end, t.sub_company_id, t.batch_id, t.description,
        x.reason::text))
    into v_returned, v_amounts, v_facts
    from unnest(p_ids, p_amounts, p_fees, p_reasons) as x(id, amount, fee, reason)
    cross join lateral (
      select i.* from transfers i where i.company_id = p_company and i.id = x.id limit 1
    ) as t
    where x.reason is not null;
    v_made := add_events(v_made, 'transactions/failed', v_returned);
    v_made := add_postings(v_made, 'transfer.released', 'in_flight', 'available', v_returned, v_amounts, v_facts);
  end if;
  v_made := (
    select add_postings(v_made, 'transfer.completed', 'in_flight', 'fees', array_agg(x.id), array_agg(x.fee), '{}')
    from unnest(p_ids, p_fees, p_reasons) as x(id, fee, reason) where x.reason is null and x.fee > 0);
  perform keep_books(v_books, v_made);
  if v_ended is not null then
    perform tell_batches(p_company, v_ended);
  end if;
end
$$;
