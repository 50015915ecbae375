/** A run for each event, so that one alone can be changed or grow old. */
export const eventByEvent = `
  with run as (delete from event_runs returning *)
  insert into event_runs (company_id, last_number, topic, created_at, subject_ids, payloads)
  select r.company_id, r.last_number - cardinality(r.subject_ids) + x.place, r.topic, r.created_at, array[x.subject_id],
    case when x.payload is not null then array[x.payload] end
  from run r cross join lateral unnest(r.subject_ids, r.payloads) with ordinality as x(subject_id, payload, place)`;
