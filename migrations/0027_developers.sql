-- compatible-from: 10
-- What developers have at the console. Nothing here decides about money.
--
-- Replays: deliveries of a range of time that a person has asked for again. One transaction queues a part of them and moves
-- next_event past it, so a part is never queued twice, whoever is killed or comes second. A webhook has one that is under way.
create table replays (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  webhook_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  -- Only what never arrived.
  failed_only boolean not null,
  -- Everything of the range is among these numbers; end_event is not part of it any more.
  first_event bigint not null,
  next_event bigint not null,
  end_event bigint not null,
  queued bigint not null default 0,
  asked_by uuid not null,
  ended_at timestamptz,
  -- The webhook was deleted or disabled before the end.
  is_stopped boolean not null default false,

  constraint replays_pk primary key (company_id, id),
  constraint replays_go_forward check (first_event <= next_event and next_event <= end_event)
);
create unique index replays_one_under_way on replays (company_id, webhook_id) where ended_at is null;
create index replays_of_webhook on replays (company_id, webhook_id, id);

-- Keys: what is known of them beside what they open and sign. A key of an older release has no row.
create table key_details (
  company_id uuid not null references companies (company_id),
  key_id uuid not null,
  name text,
  -- The first of a row of keys that replace each other; null: itself. The interface's own header has one signature: that of the
  -- key without an end whose row is the oldest. So a key beside others changes nothing for who verifies with one of them, and a
  -- key that replaces another takes its place.
  seat uuid,
  -- Within some minutes: written beside the requests, never with one.
  used_at timestamptz,

  constraint key_details_pk primary key (company_id, key_id),
  constraint key_details_name_length check (length(name) between 1 and 60)
);

-- Requests of the API, for the people of the company: one table for each day of UTC, made ahead and dropped whole (src/requests/keep-days.sql).
-- What has no day is in the default one. Written beside the requests, and bounded for each company: a row may be missing, and
-- nothing but a page depends on one.
create table request_log (
  company_id uuid not null,
  -- In the order of time.
  id uuid not null,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  key_id uuid not null,
  ms integer not null,
  correlation_id text not null,

  constraint request_log_pk primary key (company_id, id, at)
) partition by range (at);
-- Whoever was refused is told this name.
create index request_log_refused on request_log (company_id, correlation_id) where status >= 400;
create table request_log_default partition of request_log default;

do $$
declare
  v_today timestamp := date_trunc('day', now() at time zone 'UTC');
  v_day timestamp;
begin
  for v_day in select generate_series(v_today, v_today + interval '2 days', interval '1 day') loop
    execute format('create table %I partition of request_log for values from (%L) to (%L)',
      to_char(v_day, '"request_log_"YYYY_MM_DD'), v_day at time zone 'UTC', (v_day + interval '1 day') at time zone 'UTC');
  end loop;
end
$$;
