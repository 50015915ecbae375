-- Drops charges whose rows the caller has locked and judged, and tells of them. They bear the time of their events: p_at, but not before
-- what was posted last. Answers that time. The company's books are held from here to the commit, so it comes last.
create or replace function drop_charges(
  p_company uuid, p_ids uuid[], p_reason dropped_reason, p_at timestamptz, p_payloads text[]
) returns timestamptz
language plpgsql
as $$
declare
  v_at timestamptz;
begin
  v_at := publish_events_at(p_company, 'charge/events', p_ids, p_payloads, p_at);
  update charges as c set status = 'dropped', dropped_reason = p_reason, updated_at = v_at
  where c.company_id = p_company and c.id = any (p_ids);
  return v_at;
end
$$;
