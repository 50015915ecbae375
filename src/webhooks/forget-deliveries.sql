-- Deletes what has been finished for p_age and is in no month: deliveries with their attempts, then events that nobody needs
-- any more, at most p_limit of each kind and webhook. Answers whether there may be more. Months leave whole
-- (keep-months.sql), and events of which deliveries may be in a month stay for as long. Events carry numbers in the order of
-- time, so the newest one that is old enough is found by halving, and no index by age has to be kept for all the rest.
--
-- It holds the lock of the company's deliveries: what is queued again meanwhile is either queued before, and kept, or
-- finds nothing to queue.
create or replace function forget_deliveries(p_company uuid, p_age interval, p_limit integer, p_patience_ms integer)
returns boolean
language plpgsql
as $$
declare
  v_before timestamptz := now() - p_age;
  v_cursor bigint := lock_deliveries(p_company, p_patience_ms);
  v_low bigint;
  v_high bigint;
  v_middle bigint;
  v_webhook uuid := '00000000-0000-0000-0000-000000000000';
  v_numbers bigint[];
  v_more boolean := false;
  v_is_heard boolean := exists (select 1 from webhooks w where w.company_id = p_company);
begin
  perform forget_endpoints(p_company);
  if v_is_heard then
    v_before := least(v_before, first_delivery_month());
  end if;
  select r.last_number - cardinality(r.subject_ids) into v_low from event_runs r
  where r.company_id = p_company order by r.last_number limit 1;
  if not found then
    return false;
  end if;
  select r.last_number + 1 into v_high from event_runs r where r.company_id = p_company order by r.last_number desc limit 1;
  while v_high - v_low > 1 loop
    v_middle := (v_low + v_high) / 2;
    -- A number that is not there was forgotten already.
    if exists (
      select 1 from (
        select i.created_at from events i
        where i.company_id = p_company and i.last_number >= v_middle and i.last_number < v_middle + 64 and i.number = v_middle
        order by i.last_number limit 1
      ) as e
      where e.created_at >= v_before
    ) then
      v_high := v_middle;
    else
      v_low := v_middle;
    end if;
  end loop;
  -- What somebody has yet to hear of is kept, however old it is.
  if v_is_heard then
    v_low := least(v_low, v_cursor, (select min(c.first_event) - 1 from claims c where c.company_id = p_company));
  end if;

  -- From one webhook to the next along the key, deleted webhooks too, whose deliveries are still there.
  loop
    select d.webhook_id into v_webhook from deliveries_default d
    where d.company_id = p_company and d.webhook_id > v_webhook
    order by d.webhook_id limit 1;
    exit when not found;
    v_numbers := array(
      select i.event_number from deliveries_default i
      where i.company_id = p_company and i.webhook_id = v_webhook and i.event_number <= v_low
        and i.updated_at < now() - p_age and i.status not in ('pending', 'blocked')
      order by i.event_number limit p_limit);
    v_more := v_more or cardinality(v_numbers) = p_limit;
    -- To delete nothing any index would do, and the planner would take any.
    continue when cardinality(v_numbers) = 0;
    delete from attempts_default a
    where a.company_id = p_company and a.webhook_id = v_webhook and a.event_number = any (v_numbers);
    delete from deliveries_default d
    where d.company_id = p_company and d.webhook_id = v_webhook and d.event_number = any (v_numbers);
  end loop;

  -- A run goes when nobody needs any of it.
  v_numbers := array(
    select r.last_number from event_runs r
    where r.company_id = p_company and r.last_number <= v_low and not exists (
      select 1 from webhooks w
      cross join lateral (
        select 1 from deliveries i
        where i.company_id = p_company and i.webhook_id = w.id and i.event_number <= r.last_number
          and i.event_number > r.last_number - cardinality(r.subject_ids)
        limit 1
      ) as d
      where w.company_id = p_company)
    order by r.last_number limit p_limit);
  delete from event_runs r where r.company_id = p_company and r.last_number = any (v_numbers);
  return v_more or cardinality(v_numbers) = p_limit;
end
$$;
