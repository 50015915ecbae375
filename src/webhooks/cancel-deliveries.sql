-- Cancels what a webhook still has to deliver, also what is in the hand of a node, and lets others behind it go.
create or replace function cancel_deliveries(p_company uuid, p_webhook uuid) returns void
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid;
  v_webhooks uuid[];
  v_numbers bigint[];
  v_endpoints uuid[];
  v_subjects uuid[];
  v_created timestamptz[];
begin
  select w.endpoint_id into v_endpoint from webhooks w where w.company_id = p_company and w.id = p_webhook;
  select array_agg(h.webhook_id), array_agg(h.event_number), array_agg(h.subject_id), array_agg(h.created_at)
  into v_webhooks, v_numbers, v_subjects, v_created
  from deliveries_in_hand(p_company, array[v_endpoint], null) as h where h.webhook_id = p_webhook;
  perform write_deliveries(p_company, v_webhooks, v_numbers, v_subjects, v_created, null, null, v_now);

  select array_agg(d.event_number) filter (where d.webhook_id = p_webhook),
    array_agg(d.subject_id) filter (where d.webhook_id = p_webhook),
    array_agg(v_endpoint) filter (where d.webhook_id = p_webhook)
  into v_numbers, v_subjects, v_endpoints
  from (
    select i.event_number, i.subject_id, i.webhook_id from deliveries i
    where i.company_id = p_company and i.endpoint_id = v_endpoint
      and i.status in ('pending', 'blocked') and i.event_number > 0
    order by i.subject_id, i.event_number, i.webhook_id
  ) as d;
  update deliveries as d
  set status = 'cancelled', next_attempt_at = null, claim_id = null, claimed_until = null, updated_at = v_now
  where d.company_id = p_company and d.webhook_id = p_webhook and d.event_number = any (v_numbers);
  perform unblock_deliveries(p_company, v_endpoints, v_subjects);
end
$$;
