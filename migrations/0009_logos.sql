-- Our own copies of the logos that companies name by URL. A page never asks a stranger's server for a
-- picture: neither the payer's phone nor this service on a request's behalf.

create table logos (
  company_id uuid not null references companies (company_id),
  url_hash bytea not null,     -- SHA-256 of the URL: sub-companies with one URL share one copy
  url text not null,
  status text not null default 'waiting',
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  problem text,                -- why the last try failed, for the operator
  type text,
  bytes bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint logos_pk primary key (company_id, url_hash),
  constraint logos_status_known check (status in ('waiting', 'fetched', 'failed')),
  -- Never SVG: it is a document that can carry a script.
  constraint logos_type_known check (type in ('image/png', 'image/jpeg', 'image/webp')),
  constraint logos_bytes_when_fetched check (
    (status = 'fetched') = (bytes is not null) and (bytes is null) = (type is null)),
  constraint logos_small check (length(bytes) <= 102400)
);
-- Conditional for the planner's sake too: see the indexes of transfers.
create index logos_due on logos (company_id, next_try_at) where status = 'waiting';
