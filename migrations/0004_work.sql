-- What is waiting to be done, one row per company and queue: charges that expire, notifications, logos.
-- A lease only keeps workers out of each other's way; what they write checks for itself whether it may.
-- (Transfers have a queue of their own, pending_transfers, and no lease.)

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
-- Keys are written in the order of time, so the old ones lie together on disk: this finds them there and
-- costs nothing per row.
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);
