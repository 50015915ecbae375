-- What is waiting to be done, one row per company and queue: charges that expire, logos. A lease only keeps
-- workers out of each other's way; what they write checks for itself whether it may. (Transfers and
-- notifications have queues of their own, and no lease.)

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

-- What requests with an Idempotency-Key made, written in the transaction that made it. The answer is made
-- again from what is there; only an answer about something that changes later (a sub-company, a webhook) is
-- kept as text.
create table idempotency_keys (
  company_id uuid not null references companies (company_id),
  key text not null,
  request_hash bytea not null,
  made_id uuid not null,
  response text,
  created_at timestamptz not null default now(),

  constraint idempotency_keys_pk primary key (company_id, key)
);
-- Conditional for the planner's sake: see the indexes of transfers.
create index idempotency_keys_by_age on idempotency_keys (company_id, created_at)
  where created_at > '-infinity';
