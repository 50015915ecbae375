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
