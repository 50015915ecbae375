-- What is told of a batch that has ended: its fields in the API, as JSON.stringify would write them; a sub-company that
-- is null is left out. The audit compares what was told with it, byte by byte.
create or replace function told_of_batch(p_batch batches) returns text
language plpgsql
as $$
declare
  c_iso constant text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
begin
  return (
    select '{"data":' || json_strip_nulls(row_to_json(d)) || ',"topic":"batches/completed"}'
    from (
      select 'bat_' || replace(p_batch.id::text, '-', '') as "id",
        to_char(time_of_id(p_batch.id) at time zone 'UTC', c_iso) as "createdAt",
        to_char(p_batch.updated_at at time zone 'UTC', c_iso) as "updatedAt",
        p_batch.total_amount as "totalAmount", p_batch.total_fee as "totalFee", p_batch.status as "status",
        'subco_' || replace(p_batch.sub_company_id::text, '-', '') as "subCompanyId", p_batch.size as "count",
        p_batch.completed_count as "completedCount", p_batch.failed_count as "failedCount",
        p_batch.completed_amount as "completedAmount", p_batch.failed_amount as "failedAmount",
        p_batch.completed_fee as "completedFee",
        to_char(p_batch.updated_at at time zone 'UTC', c_iso) as "completedAt"
    ) as d);
end
$$;

-- Tells that batches have ended, with what they came to: it never changes again. Called once for each batch, by the
-- transaction that ended its last transfer.
create or replace function tell_batches(p_company uuid, p_ended uuid[]) returns void
language plpgsql
as $$
declare
  v_ids uuid[];
  v_payloads text[];
  v_batch batches;
begin
  -- One by one: a row of another node's table is none of this node's type.
  for v_batch in select * from batches b where b.company_id = p_company and b.id = any (p_ended) order by b.id loop
    v_ids := v_ids || v_batch.id;
    v_payloads := v_payloads || told_of_batch(v_batch);
  end loop;
  -- At the time that the books have just been given, which is that of the last outcome.
  perform publish_events_at(p_company, 'batches/completed', v_ids, v_payloads, '-infinity');
end
$$;
