-- An address is proved when it has answered 2xx once: somebody there expects notifications. Until then it gets a test
-- event and after that one notification at a time, with a pause of p_pause_ms after each, and all addresses of a company
-- that are not proved get p_per_minute together, however many webhooks come and go.

-- Hands out the endpoints that have not been sent a test event, with the webhook that it names. Each is handed out once:
-- if the node dies, the first notification takes the test's place. Nothing else is sent there during the pause.
--
-- Nobody waits for a neighbour: a company whose deliveries are locked is passed over.
create or replace function take_tests(p_company uuid, p_pause_ms integer, p_per_minute integer)
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
    exit when not may_try(p_company, v_endpoint, p_pause_ms, p_per_minute);
    update endpoints as n set tested_at = v_now where n.company_id = p_company and n.id = v_endpoint;
    return query
      select v_endpoint, w.id, w.url from webhooks w
      where w.company_id = p_company and w.endpoint_id = v_endpoint and w.disabled_at is null
      order by w.id limit 1;
  end loop;
end
$$;

-- Whether an endpoint that is not proved may be sent something now. If so its pause begins.
create or replace function may_try(p_company uuid, p_endpoint uuid, p_pause_ms integer, p_per_minute integer)
returns boolean
language plpgsql
as $$
declare
  v_until timestamptz := clock_timestamp() + p_pause_ms * interval '1 millisecond';
begin
  if spend_quota(p_company, 'new_addresses', 1, p_per_minute, interval '1 minute') is not null then
    return false;
  end if;
  update endpoints as n set open_until = v_until where n.company_id = p_company and n.id = p_endpoint;
  return true;
end
$$;

-- The endpoint has answered its test event.
create or replace function prove_endpoint(p_company uuid, p_endpoint uuid, p_patience_ms integer) returns void
language plpgsql
as $$
begin
  perform lock_deliveries(p_company, p_patience_ms);
  perform note_success(p_company, array[p_endpoint]);
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
