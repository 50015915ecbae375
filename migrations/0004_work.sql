-- What is waiting to be done, one row per company and queue. Workers claim a company, not a row of work:
-- a company's transfers settle on the same account rows anyway.

create table work (
  company_id uuid not null references companies (company_id),
  queue text not null,
  ready_at timestamptz not null,
  leased_until timestamptz,
  -- Names the holder, so that one whose lease ran out does not release its successor's.
  lease_id uuid,

  constraint work_pk primary key (company_id, queue)
) with (fillfactor = 50);
create index work_ready on work (queue, ready_at);

-- Answers to requests that came with an Idempotency-Key, written in the transaction of what they did.
create table idempotency_keys (
  company_id uuid not null references companies (company_id),
  key text not null,
  request_hash bytea not null,
  status_code integer not null,
  response text not null,
  created_at timestamptz not null default now(),

  constraint idempotency_keys_pk primary key (company_id, key)
);
-- Conditional for the planner's sake: see the indexes of transfers.
create index idempotency_keys_by_age on idempotency_keys (company_id, created_at) where status_code > 0;
