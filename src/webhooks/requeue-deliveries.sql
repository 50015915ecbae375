-- Puts deliveries of a webhook back to the start of their schedule, in order per object: those that are finished, and those
-- that wait for their next try. Answers how many; those that are being sent, or wait for an earlier one, are left alone.
-- The circuit breaker does not hold them up for as long as it would: its endpoint is tried as soon as it may be probed again
-- (note_failures). Null: the webhook is gone or disabled, and nothing was queued.
create or replace function requeue_deliveries(
  p_company uuid, p_webhook uuid, p_numbers bigint[], p_patience_ms integer
) returns integer
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid;
  v_probe_at timestamptz;
  v_numbers bigint[];
  v_subjects uuid[];
begin
  perform lock_deliveries(p_company, p_patience_ms);
  select w.endpoint_id into v_endpoint from webhooks w
  where w.company_id = p_company and w.id = p_webhook and w.disabled_at is null;
  if v_endpoint is null then
    return null;
  end if;
  select array_agg(d.event_number), array_agg(d.subject_id) into v_numbers, v_subjects
  from deliveries d
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (p_numbers)
    and d.status <> 'blocked' and (d.claimed_until is null or d.claimed_until <= v_now);
  if v_numbers is null then
    return 0;
  end if;
  insert into attempts as a (
    company_id, webhook_id, event_number, attempt, started_at, duration_ms, status_code, response)
  select d.company_id, d.webhook_id, d.event_number, d.attempts, d.told_at, d.told_ms, d.told_code, d.told_response
  from deliveries d
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (v_numbers)
    and d.told_at is not null;
  update deliveries as d
  set status = 'blocked', tries = 0, next_attempt_at = v_now, updated_at = v_now,
    told_at = null, told_ms = null, told_code = null, told_response = null
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (v_numbers);
  perform unblock_deliveries(p_company, array_fill(v_endpoint, array[cardinality(v_subjects)]), v_subjects);
  update endpoints as n set open_until = least(n.open_until, greatest(n.probe_at, v_now))
  where n.company_id = p_company and n.id = v_endpoint and n.opened_at is not null and n.probe_claim is null
  returning n.open_until into v_probe_at;
  perform mark_due(p_company, coalesce(v_probe_at, v_now));
  return cardinality(v_numbers);
end
$$;
