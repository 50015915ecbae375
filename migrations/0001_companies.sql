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
  created_at timestamptz not null default now(),

  constraint companies_pk primary key (company_id),
  constraint companies_name_length check (length(name) between 1 and 100),
  constraint companies_fee_rate_is_a_share check (transfer_fee_rate_ppm between 0 and 999999),
  constraint companies_fee_bounds check (
    transfer_fee_flat >= 0 and transfer_fee_min >= 0
    and (transfer_fee_max is null or transfer_fee_max >= transfer_fee_min)),
  constraint companies_amount_bounds check (
    transfer_amount_min > 0 and transfer_amount_max >= transfer_amount_min)
);

-- Numbers without gaps, taken inside the transaction that holds the company's money. On a narrow row of
-- its own: this row changes with every movement, the company's row hardly ever.
create table company_counters (
  company_id uuid not null references companies (company_id),
  last_posting bigint not null default 0,
  last_event bigint not null default 0,

  constraint company_counters_pk primary key (company_id)
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
