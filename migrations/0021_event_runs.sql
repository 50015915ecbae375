-- compatible-from: 10
-- What happens to many at once is written down at once: one row for all transfers of a set that began or ended together,
-- instead of one for each. A transfer leaves two events, so that was a sixth of all rows and of what they cost.

create table event_runs (
  company_id uuid not null,
  last_number bigint not null,  -- events are numbered without gaps per company: this run ends here
  topic topic not null,
  created_at timestamptz not null default now(),
  subject_ids uuid[] not null,  -- in the order in which it happened to them
  -- What its receivers read, one for each, where that is not in the books any more: a charge changes, so its state at this
  -- moment is kept. A transfer and its outcome never change, so their events need no copy.
  payloads text[],

  constraint event_runs_pk primary key (company_id, last_number),
  -- As many as fit into a row that is kept in one piece. Readers rely on it: see the view.
  constraint event_runs_are_short check (cardinality(subject_ids) between 1 and 64),
  constraint event_runs_payloads_of_what_changes check (
    case when topic in ('transactions/started', 'transactions/completed', 'transactions/failed') then payloads is null
      else payloads is not null and cardinality(payloads) = cardinality(subject_ids) end)
);

insert into event_runs (company_id, last_number, topic, created_at, subject_ids, payloads)
select company_id, number, topic, created_at, array[subject_id], case when payload is not null then array[payload] end
from events;

drop table events;

-- Event by event. Whoever reads those of some numbers says so of last_number too, along whose index they are found: it is less
-- than 64 above the number. Ordered by it and limited to as many events as there are numbers, no run is read in vain.
create view events as
select r.company_id, r.last_number - cardinality(r.subject_ids) + x.place as number, x.subject_id, r.created_at, r.topic, x.payload,
  r.last_number
from event_runs r
cross join lateral unnest(r.subject_ids, r.payloads) with ordinality as x(subject_id, payload, place);
