-- Writes down what happened, numbered without gaps, in the transaction that made it happen. Payloads are null where
-- what receivers read is in the books for good. Nobody is woken here: that is a hint, sent after the commit.
create or replace function publish_events(p_company uuid, p_topic topic, p_subjects uuid[], p_payloads text[] default null)
returns void
language plpgsql
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_last bigint;
  v_at timestamptz;
begin
  if v_count = 0 then
    return;
  end if;
  update books as b set last_event = b.last_event + v_count
  where b.company_id = p_company returning b.last_event into v_last;
  v_at := date_trunc('milliseconds', clock_timestamp());

  insert into events as e (company_id, number, topic, subject_id, payload, created_at)
  select c.company_id, v_last - v_count + x.place, p_topic, x.subject_id, x.payload, v_at
  from companies c, unnest(p_subjects, p_payloads) with ordinality as x(subject_id, payload, place)
  where c.company_id = p_company;
end
$$;
