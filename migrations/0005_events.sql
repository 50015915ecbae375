-- The outbox: what happened, in the words its receivers will read, written in the transaction that made
-- it happen. A crash after the commit loses nothing, because there is nothing left to hand over.

create table events (
  company_id uuid not null,
  number bigint not null,      -- without gaps per company: the order in which things happened
  topic text not null,
  subject_id uuid not null,
  payload text not null,       -- the exact body, byte for byte: a signature is made over it
  created_at timestamptz not null default now(),

  constraint events_pk primary key (company_id, number),
  constraint events_topic_known check (topic in (
    'transactions/started', 'transactions/completed', 'transactions/failed', 'charge/events'))
);

create function publish_events(p_company uuid, p_topic text, p_subjects uuid[], p_payloads text[])
returns void
language plpgsql
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_last bigint;
begin
  if v_count = 0 then
    return;
  end if;
  update company_counters set last_event = last_event + v_count
  where company_id = p_company returning last_event into v_last;

  insert into events as e (company_id, number, topic, subject_id, payload)
  select c.company_id, v_last - v_count + x.place, p_topic, x.subject_id, x.payload
  from companies c, unnest(p_subjects, p_payloads) with ordinality as x(subject_id, payload, place)
  where c.company_id = p_company;
end
$$;
