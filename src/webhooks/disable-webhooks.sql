-- Disables webhooks whose receivers want no more, and cancels what they had to deliver.
create or replace function disable_gone(p_company uuid, p_now timestamptz, p_reason text, p_webhooks uuid[]) returns void
language plpgsql
as $$
declare
  v_webhook uuid;
begin
  for v_webhook in
    update webhooks as w set disabled_at = p_now, disabled_reason = p_reason, updated_at = p_now
    where w.company_id = p_company and w.disabled_at is null and w.id = any (p_webhooks) returning w.id
  loop
    perform cancel_deliveries(p_company, v_webhook);
  end loop;
end
$$;

-- Disables the webhooks of an endpoint that has failed for longer than p_after, and cancels what they had to deliver.
create or replace function disable_failing(
  p_company uuid, p_now timestamptz, p_endpoint uuid, p_after interval, p_reason text
) returns void
language plpgsql
as $$
declare
  v_webhook uuid;
begin
  if not exists (
    select 1 from endpoints n
    where n.company_id = p_company and n.id = p_endpoint and n.failing_since < p_now - p_after)
  then
    return;
  end if;
  for v_webhook in
    update webhooks as w set disabled_at = p_now, disabled_reason = p_reason, updated_at = p_now
    where w.company_id = p_company and w.disabled_at is null and w.endpoint_id = p_endpoint returning w.id
  loop
    perform cancel_deliveries(p_company, v_webhook);
  end loop;
end
$$;
