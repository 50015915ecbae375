-- compatible-from: 10
-- What may be forgotten leaves as a whole table, never row by row. Nothing that is still promised may leave with it.
--
-- Keys: two generations. New ones go into idempotency_keys; those of the generation before stay beside them and are
-- looked up too. When all of the older generation are 30 days old, it is emptied and the two change names. Nodes of the
-- release before know idempotency_keys alone: generations change 30 days after this migration at the earliest.
create table former_idempotency_keys (
  company_id uuid not null references companies (company_id),
  key text not null,
  request_hash bytea not null,
  made_id uuid not null,
  response text,
  created_at timestamptz not null default now(),

  constraint former_idempotency_keys_pk primary key (company_id, key)
);
-- Nobody looks for old keys any more.
drop index idempotency_keys_by_age;

-- When something last changed its form by itself. Whoever is about to change it holds its row.
create table turns (
  subject text not null,
  turned_at timestamptz not null,

  constraint turns_pk primary key (subject)
);

-- Deliveries and attempts: one table for each month, made ahead (src/webhooks/keep-months.sql). What there is so far, and
-- whatever no month is there for, is in the default one, from which it is deleted in bounded sets.
--
-- A delivery's moment belongs to its key only because the months are told apart by it. It is the moment of the claim under
-- which it was taken in hand, or of the transaction that wrote it down instead: one event is claimed once, so it has one
-- such moment, and the key still refuses a second delivery of it.
alter table deliveries rename to deliveries_default;
alter table deliveries_default drop constraint deliveries_pk;
drop index deliveries_due;
drop index deliveries_unfinished;
create table deliveries (
  like deliveries_default including defaults,
  constraint deliveries_pk primary key (company_id, webhook_id, event_number, created_at)
) partition by range (created_at);
create index deliveries_due on deliveries (company_id, endpoint_id, next_attempt_at)
  where status = 'pending';
create index deliveries_unfinished
  on deliveries (company_id, endpoint_id, subject_id, event_number, webhook_id)
  where status in ('pending', 'blocked') and event_number > 0;
-- What was repeated after its time: it is kept when its month leaves.
create index deliveries_late on deliveries (company_id, updated_at)
  where updated_at - created_at > interval '5 days';
alter table deliveries attach partition deliveries_default default;

alter table attempts rename to attempts_default;
alter table attempts_default drop constraint attempts_pk;
create table attempts (
  like attempts_default including defaults,
  constraint attempts_pk primary key (company_id, webhook_id, event_number, started_at, attempt)
) partition by range (started_at);
alter table attempts attach partition attempts_default default;

do $$
declare
  v_this timestamp := date_trunc('month', now() at time zone 'UTC');
  v_month timestamp;
begin
  for v_month in select generate_series(v_this, v_this + interval '2 months', interval '1 month') loop
    continue when v_month = v_this
      and (exists (select 1 from deliveries_default) or exists (select 1 from attempts_default));
    execute format('create table %I partition of deliveries for values from (%L) to (%L)',
      to_char(v_month, '"deliveries_"YYYY_MM'), v_month at time zone 'UTC', (v_month + interval '1 month') at time zone 'UTC');
    execute format('create table %I partition of attempts for values from (%L) to (%L)',
      to_char(v_month, '"attempts_"YYYY_MM'), v_month at time zone 'UTC', (v_month + interval '1 month') at time zone 'UTC');
  end loop;
end
$$;
