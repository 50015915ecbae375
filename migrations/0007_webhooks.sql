-- Telling others what happened. Every event is told to each webhook that asked for its topic: that is a
-- delivery, a series of attempts. All of it is in this database: nothing is handed to a queue that could lose it.
--
-- A delivery that is acknowledged at once is written once, when it is over. Before that it is in the hand of a
-- node: a row of claims says which events, and until when. What did not work at once, or has to wait, is
-- written down as a delivery that is pending or blocked, and taken up from there by any node.

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
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint webhooks_pk primary key (company_id, id),
  constraint webhooks_endpoint foreign key (company_id, endpoint_id) references endpoints (company_id, id),
  constraint webhooks_disabled_with_reason check ((disabled_at is null) = (disabled_reason is null))
);
-- For the operator, who knows a webhook by its id alone.
create index webhooks_by_id on webhooks (id);

-- How far a company's events have been taken to be told. Its row is the lock of all the company's deliveries. It
-- is not part of books, because that row is held by whoever moves the company's money.
create table event_cursors (
  company_id uuid not null references companies (company_id),
  last_event bigint not null,
  due_at timestamptz,          -- when a delivery that is written down may be due; null: none waits

  constraint event_cursors_pk primary key (company_id)
) with (fillfactor = 50);
create index event_cursors_due on event_cursors (due_at) where due_at is not null;

-- Events in the hand of a node, which tells them to these endpoints without writing a delivery down before. The
-- claim goes when the last of its deliveries is written. When a node dies, its claims run out, and whoever finds
-- one writes down what has no delivery yet.
create table claims (
  company_id uuid not null,
  id uuid not null,
  node_id uuid not null,
  first_event bigint not null,
  last_event bigint not null,
  endpoints uuid[] not null,
  due_at timestamptz not null, -- first attempts are made from this moment on
  claimed_until timestamptz not null,
  created_at timestamptz not null,

  constraint claims_pk primary key (company_id, id)
);
create index claims_running_out on claims (claimed_until);

create table deliveries (
  company_id uuid not null,
  webhook_id uuid not null,
  event_number bigint not null,
  endpoint_id uuid not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_attempt_at timestamptz, -- null once it is finished
  -- Names the claim under which a node is sending it, and until when. An outcome counts only under the claim it
  -- was sent with. In no index, because taking a delivery changes nothing else.
  claim_id uuid,
  claimed_until timestamptz,
  status delivery_status not null,
  -- All attempts ever made, and those of the current series: a redelivery starts the schedule anew.
  attempts integer not null,
  tries integer not null,
  subject_ended boolean not null default false,
  -- The attempt that was acknowledged, the last one of a delivered one. All others are rows of attempts.
  told_at timestamptz,
  told_ms integer,
  told_code integer,
  told_response text,

  constraint deliveries_pk primary key (company_id, webhook_id, event_number)
);
-- Conditional for the planner's sake too: see the indexes of transfers. What reads through one of these also asks
-- for its order, which the primary key cannot give.
create index deliveries_due on deliveries (company_id, endpoint_id, next_attempt_at)
  where status = 'pending';
-- Order per object and address: who is still before me, and who waits behind me?
create unique index deliveries_unfinished
  on deliveries (company_id, endpoint_id, subject_id, event_number, webhook_id)
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
