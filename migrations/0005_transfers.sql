-- Money sent to people. A transfer is accepted (its money waits in flight), then completed or failed.
--
-- A transfer is inserted once and never changed. While it waits it has a row in pending_transfers; whoever
-- ends it deletes that row and inserts its outcome in the same transaction. So only one can end it, whatever
-- leases, clocks and stopped processes do, and the largest tables never need to be vacuumed.

create type transfer_outcome as enum ('completed', 'failed');
create type failure_reason as enum (
  'TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT', 'SERVICE_ACCOUNT_NOT_FOUND', 'INTERNAL_ERROR', 'UNKNOWN_ERROR');
create type batch_status as enum ('processing', 'completed', 'partially_completed', 'failed');

create table batches (
  company_id uuid not null references companies (company_id),
  id uuid not null,            -- its time is when it was created
  sub_company_id uuid,
  total_amount bigint not null,
  total_fee bigint not null,
  size integer not null,
  completed_count integer not null default 0,
  failed_count integer not null default 0,
  status batch_status not null default 'processing',
  updated_at timestamptz not null,

  constraint batches_pk primary key (company_id, id),
  constraint batches_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id),
  constraint batches_counts_fit check (completed_count + failed_count <= size),
  constraint batches_status_follows_counts check (status = case
    when completed_count + failed_count < size then 'processing'::batch_status
    when failed_count = 0 then 'completed'
    when completed_count = 0 then 'failed'
    else 'partially_completed' end)
) with (fillfactor = 70);

-- No foreign key to companies: every insert is anchored on the company's row.
create table transfers (
  company_id uuid not null,
  -- Made under the company's lock, so that ids grow in the order of the commits. Its time is when the
  -- transfer was created: a range of time is a range of ids.
  id uuid not null,
  batch_id uuid,
  sub_company_id uuid,
  amount bigint not null,
  fee bigint not null,
  msisdn text not null,              -- digits
  msisdn_has_plus boolean not null,  -- as the caller wrote it, for answering
  reference text not null,
  description text,
  metadata text,                     -- JSON as text: returned as it was given, key order included

  constraint transfers_pk primary key (company_id, id),
  constraint transfers_reference_given check (reference <> ''),
  constraint transfers_amount_positive check (amount > 0 and fee >= 0),
  constraint transfers_batch foreign key (company_id, batch_id) references batches (company_id, id),
  constraint transfers_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id)
);

-- Each index has a condition that is true of every row it is meant for and that only the statements it
-- serves repeat. Otherwise a plan made while the table was small might hold any index that begins with
-- company_id for as good as the primary key, and read the whole company through it ever after.
create unique index transfers_reference_once on transfers (company_id, reference) where reference <> '';
create index transfers_by_msisdn on transfers (company_id, msisdn, id) where msisdn <> '';
create index transfers_by_batch on transfers (company_id, batch_id, id) where batch_id is not null;
create index transfers_by_sub_company on transfers (company_id, sub_company_id, id)
  where sub_company_id is not null;
-- What one person got from one sub-company.
create index transfers_by_sub_company_and_msisdn on transfers (company_id, sub_company_id, msisdn, id)
  where sub_company_id is not null and msisdn <> '';

create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_change();
create trigger transfers_not_truncated before truncate on transfers
  for each statement execute function refuse_change();
revoke update, delete, truncate on transfers from public;

-- The queue of what is accepted and not ended.
create table pending_transfers (
  company_id uuid not null,
  id uuid not null,

  constraint pending_transfers_pk primary key (company_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000); -- Empties as fast as it fills.

-- Whose turn it is to settle, and how far settling has come. Whoever settles holds the company's row until the
-- commit; others pass over a held one. What is pending has an id above settled_upto, so a reader never walks
-- over the dead entries that settled transfers leave in the queue's index.
create table settling (
  company_id uuid not null references companies (company_id),
  settled_upto uuid not null default '00000000-0000-0000-0000-000000000000',

  constraint settling_pk primary key (company_id)
) with (fillfactor = 50);

-- How transfers ended. The primary key makes a second ending impossible.
create table outcomes (
  company_id uuid not null,
  id uuid not null,            -- the transfer's
  ended_at timestamptz not null,
  status transfer_outcome not null,
  failure_reason failure_reason,
  -- Of failed ones only, which are few and looked for: what lists filter them by.
  failed_msisdn text,
  failed_sub_company_id uuid,

  constraint outcomes_pk primary key (company_id, id),
  constraint outcomes_reason_when_failed check (
    (status = 'failed') = (failure_reason is not null) and (status = 'failed') = (failed_msisdn is not null))
);
create index outcomes_by_status on outcomes (company_id, status, id) where ended_at > '-infinity';
create index outcomes_failed_by_msisdn on outcomes (company_id, failed_msisdn, id)
  where failed_msisdn is not null;
create index outcomes_failed_by_sub_company on outcomes (company_id, failed_sub_company_id, id)
  where failed_sub_company_id is not null;

create trigger outcomes_append_only before update or delete on outcomes
  for each row execute function refuse_change();
create trigger outcomes_not_truncated before truncate on outcomes
  for each statement execute function refuse_change();
revoke update, delete, truncate on outcomes from public;
