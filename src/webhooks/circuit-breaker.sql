-- The receiver has answered: its circuit breaker closes. The row of a healthy endpoint is not written: it would be the
-- hottest row of all. After an outage that was longer than p_pause_min_ms, everything that failed in it may be tried at
-- once: those pauses were the outage's, and the outage is over.
create or replace function note_success(p_company uuid, p_endpoints uuid[], p_pause_min_ms integer) returns void
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_outage_before timestamptz := v_now - p_pause_min_ms * interval '1 millisecond';
begin
  update endpoints as n
  set failures = 0, failing_since = null, open_until = null, opened_at = null, probe_claim = null, probe_at = null,
    proved_at = coalesce(n.proved_at, v_now),
    recovered_at = case when n.opened_at is not null or n.failing_since < v_outage_before then v_now else n.recovered_at end
  where n.company_id = p_company and n.id = any (p_endpoints)
    and (n.failures > 0 or n.opened_at is not null or n.proved_at is null);
  if found then
    perform mark_due(p_company, v_now);
  end if;
end
$$;

-- What follows for an endpoint at which all of these attempts failed.
--
-- While its circuit breaker is closed each failure counts, and p_breaker_after in a row open it: nothing is sent but a
-- probe when the pause is over. While it is open only the probe counts: requests that were under way when it opened
-- belong to the same outage.
--
-- Fewer failures do not hold up what is new. But when a delivery has failed so often that its own next pause is longer
-- than the breaker's, the endpoint is probed with it in the same way.
--
-- The pause after a failed probe is half of the outage so far, so that a receiver which is back hears of it within the
-- time it was away; never below p_pause_min_ms, never above p_pause_max_ms, unless the receiver asked for longer.
--
-- Whoever sends something again ends that pause (requeue_deliveries), but not before probe_at: a sixth of p_pause_min_ms has
-- to pass between two probes however often somebody asks, and all of what the receiver asked for.
create or replace function note_failures(
  p_company uuid, p_now timestamptz, p_endpoint uuid, p_count bigint, p_since timestamptz, p_has_long_pause boolean,
  p_asked_ms bigint, p_claims uuid[], p_breaker_after integer, p_pause_min_ms integer, p_pause_max_ms integer
) returns void
language plpgsql
as $$
declare
  v_endpoint endpoints;
  v_is_probe boolean;
  v_outage_ms double precision;
  v_pause_ms double precision;
  v_next timestamptz;
begin
  select * into v_endpoint from endpoints n where n.company_id = p_company and n.id = p_endpoint;
  v_is_probe := coalesce(v_endpoint.probe_claim = any (p_claims), false);
  if v_endpoint.opened_at is not null and not v_is_probe then
    return;
  end if;
  v_endpoint.failures := v_endpoint.failures + p_count;
  v_endpoint.failing_since := coalesce(v_endpoint.failing_since, p_since);
  if v_is_probe then
    v_endpoint.probe_claim := null;
    v_endpoint.open_until := null;
  end if;
  v_outage_ms := extract(epoch from p_now - v_endpoint.failing_since) * 1000;
  v_pause_ms := least(p_pause_max_ms, greatest(p_pause_min_ms, v_outage_ms / 2));
  if v_endpoint.opened_at is null and v_endpoint.failures >= p_breaker_after then
    v_endpoint.opened_at := p_now;
    -- What failed in the outage before goes on with this one.
    v_endpoint.recovered_at := null;
    v_pause_ms := p_pause_min_ms;
  end if;
  v_next := p_now + greatest(v_pause_ms, p_asked_ms) * interval '1 millisecond';
  if v_endpoint.opened_at is not null then
    v_endpoint.open_until := v_next;
    v_endpoint.probe_at := p_now + greatest(p_pause_min_ms / 6, p_asked_ms) * interval '1 millisecond';
  elsif p_has_long_pause or v_endpoint.probe_at is not null then
    v_endpoint.probe_at := v_next;
  end if;
  update endpoints as n
  set failures = v_endpoint.failures, failing_since = v_endpoint.failing_since, opened_at = v_endpoint.opened_at,
    open_until = v_endpoint.open_until, probe_claim = v_endpoint.probe_claim, probe_at = v_endpoint.probe_at,
    recovered_at = v_endpoint.recovered_at
  where n.company_id = p_company and n.id = p_endpoint;
  -- Whatever else waits for the endpoint may go when its probe may, or now that the only request it was allowed is over.
  perform mark_due(p_company, coalesce(v_endpoint.open_until, case when v_is_probe then p_now else v_endpoint.probe_at end));
end
$$;
