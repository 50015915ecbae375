-- The businesses, the keys that speak for them, and the sub-companies they pay for.
--
-- Every table belongs to one of three groups, so that the database can later be split by company:
-- company (company_id leads every key), customer (msisdn leads), reference (small, read by all).

create table companies (
  company_id uuid not null,
  name text not null,
  -- Parts per million: 1 % is 10000. An integer, so that no fee depends on how a fraction is rounded.
  transfer_fee_rate_ppm integer not null default 0,
  transfer_fee_flat bigint not null default 0,
  transfer_fee_min bigint not null default 0,
  transfer_fee_max bigint,
  transfer_amount_min bigint not null default 5000,
  transfer_amount_max bigint not null default 500000,
  charge_fee_rate_ppm integer not null default 0,
  charge_amount_min bigint not null default 1,
  charge_amount_max bigint not null default 200000000,
  created_at timestamptz not null default now(),

  constraint companies_pk primary key (company_id),
  constraint companies_name_length check (length(name) between 1 and 100),
  constraint companies_fee_rates_are_shares check (
    transfer_fee_rate_ppm between 0 and 999999 and charge_fee_rate_ppm between 0 and 999999),
  constraint companies_fee_bounds check (
    transfer_fee_flat between 0 and 1000000000 and transfer_fee_min between 0 and 1000000000
    and (transfer_fee_max is null or transfer_fee_max >= transfer_fee_min)),
  -- The upper bounds keep every product of an amount with a rate or another amount within a bigint.
  constraint companies_transfer_amount_bounds check (
    transfer_amount_min > 0 and transfer_amount_max between transfer_amount_min and 1000000000),
  constraint companies_charge_amount_bounds check (
    charge_amount_min > 0 and charge_amount_max between charge_amount_min and 1000000000)
);

-- Reference group: a request knows its token, not yet its company. Only the hash is kept.
create table access_tokens (
  token_hash bytea not null,
  company_id uuid not null,
  key_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,

  constraint access_tokens_pk primary key (token_hash)
);
create index access_tokens_of_company on access_tokens (company_id, key_id);
create index access_tokens_by_key on access_tokens (key_id);

-- The keys that sign webhooks, encrypted with the master key and bound to their company.
create table secret_keys (
  company_id uuid not null references companies (company_id),
  key_id uuid not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,

  constraint secret_keys_pk primary key (company_id, key_id)
);

create table sub_companies (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  name text not null,
  logo_url text not null,
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint sub_companies_pk primary key (company_id, id)
);

-- Where the lists of a company end: the time and the count inside the newest id of each. Whoever adds to a
-- list takes this row first and keeps it until the commit, so that ids grow in the order in which they
-- become visible, and whoever follows a list from its newest row misses nothing. (Transfers and batches
-- have theirs in books, which they hold anyway.)
create table list_ends (
  company_id uuid not null references companies (company_id),
  list text not null,
  last_ms bigint not null,
  last_count integer not null,

  constraint list_ends_pk primary key (company_id, list)
) with (fillfactor = 50);
