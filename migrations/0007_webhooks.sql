-- Telling others what happened. Events become deliveries, one per webhook that asked for the topic; a
-- delivery is a series of attempts. All of it in this database: nothing is handed to a queue that could lose
-- it.

create type topic as enum (
  'transactions/started', 'transactions/completed', 'transactions/failed', 'charge/events');
create type delivery_status as enum (
  'pending', 'blocked', 'delivered', 'failed', 'superseded', 'cancelled');

-- What happened, written in the transaction that made it happen. A crash after the commit loses nothing,
-- because there is nothing left to hand over.
create table events (
  company_id uuid not null,
  number bigint not null,      -- without gaps per company: the order in which things happened
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  topic topic not null,
  -- What its receivers read, where that is not in the books any more: a charge changes, so its state at this
  -- moment is kept. A transfer and its outcome never change, so their events need no copy.
  payload text,

  constraint events_pk primary key (company_id, number),
  constraint events_payload_of_what_changes check ((topic = 'charge/events') = (payload is not null))
);

-- Where a company wants to be told. Several webhooks may share one address, which is then one endpoint:
-- order, the number of requests in flight and the circuit breaker are matters of the address. An endpoint
-- goes with its last webhook.
create table endpoints (
  company_id uuid not null references companies (company_id),
  id uuid not null,            -- made from the url, so that the same address finds its row again
  url text not null,
  failures integer not null default 0,   -- in a row; a success sets it back
  failing_since timestamptz,
  open_until timestamptz,      -- the circuit breaker: nothing is sent before this moment

  constraint endpoints_pk primary key (company_id, id)
);

create table webhooks (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  endpoint_id uuid not null,
  topic topic not null,
  url text not null,
  from_event bigint not null,  -- hears of what happens after this number
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint webhooks_pk primary key (company_id, id),
  constraint webhooks_disabled_with_reason check ((disabled_at is null) = (disabled_reason is null))
);
-- For the operator, who knows a webhook by its id alone.
create index webhooks_by_id on webhooks (id);

-- How far a company's events have been turned into deliveries. Not in books: that row is held by whoever
-- moves the company's money.
create table event_cursors (
  company_id uuid not null references companies (company_id),
  last_event bigint not null,

  constraint event_cursors_pk primary key (company_id)
) with (fillfactor = 50);

create table deliveries (
  company_id uuid not null,
  webhook_id uuid not null,
  event_number bigint not null,
  endpoint_id uuid not null,
  subject_id uuid not null,
  topic topic not null,
  status delivery_status not null,
  -- All attempts ever made, and those of the current series: a redelivery starts the schedule anew.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_attempt_at timestamptz not null,
  -- Names the node that is sending it, and until when. An outcome counts only under the claim it was sent
  -- with. In no index: taking a delivery is the most frequent change, and so the cheapest.
  claim_id uuid,
  claimed_until timestamptz,
  subject_ended boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint deliveries_pk primary key (company_id, webhook_id, event_number)
) with (fillfactor = 70); -- Room on the page for the row that was taken.
-- Conditional for the planner's sake too: see the indexes of transfers.
create index deliveries_due on deliveries (company_id, endpoint_id, next_attempt_at)
  where status = 'pending';
-- Order per object and address: who is still before me, and who waits behind me?
create index deliveries_unfinished on deliveries (company_id, endpoint_id, subject_id, event_number)
  where status in ('pending', 'blocked') and event_number > 0;

create table attempts (
  company_id uuid not null,
  webhook_id uuid not null,
  event_number bigint not null,
  attempt integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  error text,
  response text,               -- the first KB of the answer

  constraint attempts_pk primary key (company_id, webhook_id, event_number, attempt)
);
