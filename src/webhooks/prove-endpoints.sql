-- An address is proved when it has answered 2xx once: somebody there expects notifications. Until then it gets a test
-- event and after that one notification at a time, from a bucket: at once as many as fit into a minute with a pause of
-- p_pause_ms between them, and one more after each pause. All addresses of a company that are not proved get
-- p_per_minute together, however many webhooks come and go.

-- Hands out the endpoints that have not been sent a test event, with the webhook that it names. Each is handed out once:
-- if the node dies, the first notification takes the test's place. Nothing else is sent there until the test is answered,
-- or p_claimed_for_ms have passed.
--
-- Nobody waits for a neighbour: a company whose deliveries are locked is passed over.
create or replace function take_tests(
  p_company uuid, p_claimed_for_ms integer, p_pause_ms integer, p_per_minute integer)
returns table (endpoint_id uuid, webhook_id uuid, url text)
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid;
begin
  perform 1 from event_cursors c where c.company_id = p_company for update skip locked;
  if not found then
    return;
  end if;
  for v_endpoint in
    select n.id from endpoints n
    where n.company_id = p_company and n.tested_at is null and n.proved_at is null
    order by n.id
  loop
    continue when not may_try(p_company, v_endpoint, p_pause_ms, p_per_minute);
    update endpoints as n set tested_at = v_now, open_until = v_now + p_claimed_for_ms * interval '1 millisecond'
    where n.company_id = p_company and n.id = v_endpoint;
    return query
      select v_endpoint, w.id, w.url from webhooks w
      where w.company_id = p_company and w.endpoint_id = v_endpoint and w.disabled_at is null
      order by w.id limit 1;
  end loop;
end
$$;

-- Whether an endpoint that is not proved may be sent something now; if so it has spent one of its requests. The bucket is
-- kept as the moment until which it is paid for (tries_until).
create or replace function may_try(p_company uuid, p_endpoint uuid, p_pause_ms integer, p_per_minute integer)
returns boolean
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_pause interval := p_pause_ms * interval '1 millisecond';
  v_paid_until timestamptz;
  v_next timestamptz;
begin
  select greatest(n.tries_until, v_now) + v_pause into v_paid_until
  from endpoints n where n.company_id = p_company and n.id = p_endpoint;
  if v_paid_until > v_now + interval '1 minute' then
    v_next := v_paid_until - interval '1 minute';
    update endpoints as n set open_until = greatest(n.open_until, v_next)
    where n.company_id = p_company and n.id = p_endpoint;
    return false;
  end if;
  if spend_quota(p_company, 'new_addresses', 1, p_per_minute, interval '1 minute') is not null then
    return false;
  end if;
  update endpoints as n set tries_until = v_paid_until where n.company_id = p_company and n.id = p_endpoint;
  return true;
end
$$;

-- What came of an endpoint's test event. One that was acknowledged proves the endpoint; after any other, what waits is
-- sent as the bucket allows.
create or replace function note_test(
  p_company uuid, p_endpoint uuid, p_status_code integer, p_error text, p_patience_ms integer, p_pause_min_ms integer
) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  perform lock_deliveries(p_company, p_patience_ms);
  update endpoints as n
  set tested_at = v_now, test_status_code = p_status_code, test_error = p_error,
    open_until = case when n.opened_at is null and n.probe_claim is null then null else n.open_until end
  where n.company_id = p_company and n.id = p_endpoint;
  if p_status_code between 200 and 299 then
    perform note_success(p_company, array[p_endpoint], p_pause_min_ms);
  end if;
  perform mark_due(p_company, v_now);
end
$$;

-- When the next one may be tried that has to wait because the company has spent its minute; null: now.
create or replace function next_try_at(p_company uuid, p_per_minute integer) returns timestamptz
language plpgsql
as $$
declare
  v_since timestamptz;
begin
  select q.since into v_since from quotas q
  where q.company_id = p_company and q.name = 'new_addresses' and q.spent >= p_per_minute
    and q.since > clock_timestamp() - interval '1 minute';
  return v_since + interval '1 minute';
end
$$;

-- Deletes endpoints that have no webhook any more. One that was sent something in the last minute stays until its bucket is
-- full again: whoever registers its address anew finds it as it was left.
create or replace function forget_endpoints(p_company uuid) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  delete from endpoints n
  where n.company_id = p_company and (n.tries_until is null or n.tries_until <= v_now)
    and not exists (select 1 from webhooks w where w.company_id = p_company and w.endpoint_id = n.id);
end
$$;
