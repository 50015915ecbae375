-- The people, and what they hold. Customer group: msisdn (digits only) leads every key.

create type kyc_status as enum ('complete', 'pending', 'incomplete', 'rejected');

create table customers (
  msisdn text not null,
  first_name text not null,
  last_name text not null,
  kyc_status kyc_status not null,
  -- Overrides the ceiling that follows from kyc_status.
  balance_max bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint customers_pk primary key (msisdn),
  constraint customers_msisdn_is_digits check (msisdn ~ '^[0-9]{8,15}$'),
  constraint customers_balance_max_positive check (balance_max >= 0)
);

create table wallets (
  msisdn text not null,
  -- The sum of its entries. Kept in the same transaction as the entry that changed it.
  balance bigint not null default 0,
  -- True for the staging test number only: test money has no floor and no ceiling.
  may_overdraw boolean not null default false,

  constraint wallets_pk primary key (msisdn),
  constraint wallets_not_overdrawn check (may_overdraw or balance >= 0)
) with (fillfactor = 70);

-- A wallet's history, the subledger behind the companies' paid_out accounts. What the person sees of the
-- company is copied here, because a wallet and a company may live on different machines one day.
create table wallet_entries (
  msisdn text not null,
  subject_id uuid not null,    -- the transfer, payment or refund; its reference for people is made from it
  event posting_event not null,
  amount bigint not null,      -- what was added; negative when the person paid
  company_id uuid not null,
  created_at timestamptz not null default now(),
  company_name text not null,
  sub_company_name text,
  sub_company_logo_url text,
  description text,

  -- Each subject moves money in a wallet once.
  constraint wallet_entries_pk primary key (msisdn, subject_id),
  constraint wallet_entries_move_money check (amount <> 0)
);

create trigger wallet_entries_append_only before update or delete on wallet_entries
  for each row execute function refuse_change();
create trigger wallet_entries_not_truncated before truncate on wallet_entries
  for each statement execute function refuse_change();
revoke update, delete, truncate on wallet_entries from public;
