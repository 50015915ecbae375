-- Money asked of people. A charge is due until it is paid or dropped, one or the other and never both; what
-- was paid can be given back, never more than that.

create type charge_status as enum ('due', 'paid', 'dropped', 'refunded_partially', 'refunded');
create type dropped_reason as enum ('EXPIRED', 'CANCELED');
create type charge_transaction_type as enum ('payment', 'refund');
create type charge_transaction_status as enum ('completed', 'failed');
create type payment_error as enum (
  'INSUFFICIENT_FUNDS', 'ACCOUNT_NOT_FOUND', 'TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT', 'DECLINED',
  'INTERNAL_ERROR');

-- No foreign key to companies: every insert is anchored on the company's row.
create table charges (
  company_id uuid not null,
  id uuid not null,            -- made under the lock of the company's list; its time is created_at
  external_id text not null,
  description text not null,
  amount bigint not null,
  fee bigint not null,         -- what the company will be credited less
  fee_rate_ppm integer not null,
  status charge_status not null default 'due',
  dropped_reason dropped_reason,
  paid bigint not null default 0,
  refunded bigint not null default 0,
  attempts integer not null default 0,
  metadata text,               -- JSON as text: returned as it was given, key order included
  sub_company_id uuid,
  on_canceled_redirection_url text not null,
  on_completed_redirection_url text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,  -- by this database's clock, which alone decides

  constraint charges_pk primary key (company_id, id),
  constraint charges_external_id_given check (external_id <> ''),
  constraint charges_amount_positive check (amount > 0),
  constraint charges_fee_within_amount check (fee between 0 and amount),
  constraint charges_paid_whole_or_not check (paid in (0, amount)),
  constraint charges_refunded_within_paid check (refunded between 0 and paid),
  constraint charges_dropped_unpaid check (dropped_reason is null or paid = 0),
  constraint charges_status_follows_money check (status = case
    when dropped_reason is not null then 'dropped'::charge_status
    when paid = 0 then 'due'
    when refunded = 0 then 'paid'
    when refunded < paid then 'refunded_partially'
    else 'refunded' end),
  -- A paid charge has at least the attempt that paid it.
  constraint charges_attempts_counted check (attempts >= 0 and (paid = 0 or attempts > 0)),
  constraint charges_sub_company foreign key (company_id, sub_company_id)
    references sub_companies (company_id, id)
);

-- Conditional for the planner's sake: see the indexes of transfers.
create unique index charges_external_id_once on charges (company_id, external_id) where external_id <> '';
create index charges_by_status on charges (company_id, status, id) where amount > 0;
-- The due ones, said without the word status, so that the index above is not considered with this one.
create index charges_by_expiry on charges (company_id, expires_at)
  where paid = 0 and dropped_reason is null;

-- Attempts to pay and refunds, each ended when it is written: append-only.
create table charge_transactions (
  company_id uuid not null,
  charge_id uuid not null,
  id uuid not null,            -- the subject of its postings and of its wallet entry
  type charge_transaction_type not null,
  msisdn text not null,        -- the payer, digits, for matching
  msisdn_given text not null,  -- as it was written, for answering
  amount bigint not null,
  fee bigint not null,         -- what the company got less, or gave back less
  status charge_transaction_status not null,
  error payment_error,
  created_at timestamptz not null default clock_timestamp(),

  constraint charge_transactions_pk primary key (company_id, charge_id, id),
  constraint charge_transactions_charge foreign key (company_id, charge_id)
    references charges (company_id, id),
  constraint charge_transactions_amount_positive check (amount > 0),
  constraint charge_transactions_fee_within_amount check (fee between 0 and amount),
  constraint charge_transactions_error_when_failed check ((status = 'failed') = (error is not null)),
  -- A refund that cannot be made is refused, not written down.
  constraint charge_transactions_refunds_complete check (type = 'payment' or status = 'completed')
);
-- A charge is paid once, whoever tries to pay it again.
create unique index charge_transactions_paid_once on charge_transactions (company_id, charge_id)
  where type = 'payment' and status = 'completed';

create trigger charge_transactions_append_only before update or delete on charge_transactions
  for each row execute function refuse_change();
create trigger charge_transactions_not_truncated before truncate on charge_transactions
  for each statement execute function refuse_change();
revoke update, delete, truncate on charge_transactions from public;
