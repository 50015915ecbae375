-- Tells that batches have ended, with what they came to: it never changes again. Called once for each batch, by the
-- transaction that ended its last transfer.
create or replace function tell_batches(p_company uuid, p_ended uuid[]) returns void
language plpgsql
as $$
declare
  c_iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  v_ids uuid[];
  v_payloads text[];
begin
  -- The fields of a batch in the API, as JSON.stringify would write them; a sub-company that is null is left out.
  select array_agg(b.id order by b.id),
    array_agg('{"data":' || json_strip_nulls(row_to_json(d)) || ',"topic":"batches/completed"}' order by b.id)
  into v_ids, v_payloads
  from batches b
  cross join lateral (
    select 'bat_' || replace(b.id::text, '-', '') as "id",
      to_char(time_of_id(b.id) at time zone 'UTC', c_iso) as "createdAt",
      to_char(b.updated_at at time zone 'UTC', c_iso) as "updatedAt",
      b.total_amount as "totalAmount", b.total_fee as "totalFee", b.status as "status",
      'subco_' || replace(b.sub_company_id::text, '-', '') as "subCompanyId", b.size as "count",
      b.completed_count as "completedCount", b.failed_count as "failedCount",
      b.completed_amount as "completedAmount", b.failed_amount as "failedAmount", b.completed_fee as "completedFee",
      to_char(b.updated_at at time zone 'UTC', c_iso) as "completedAt"
  ) as d
  where b.company_id = p_company and b.id = any (p_ended);
  perform publish_events(p_company, 'batches/completed', v_ids, v_payloads);
end
$$;
