-- One-time codes and the wallet sessions they open. Customer group: msisdn (digits only) leads every key.
--
-- What must never happen: a code that is compared more often than its tries, used twice, or used after a
-- newer one was sent. Only the database's clock says how old a code is.

-- Every phone that was ever sent a code, until it is forgotten. Who sends takes this row first, so that two
-- sends at once cannot both find room under a limit.
create table code_recipients (
  msisdn text not null,
  last_asked_at timestamptz not null,

  constraint code_recipients_pk primary key (msisdn),
  constraint code_recipients_msisdn_is_digits check (msisdn ~ '^[0-9]{8,15}$')
);
-- Conditional for the planner's sake: see the indexes of transfers.
create index code_recipients_by_age on code_recipients (last_asked_at) where last_asked_at > '-infinity';

-- One row per send. The newest of a purpose is the code; the ones before it are useless, but still count.
create table one_time_codes (
  msisdn text not null,
  id uuid not null,
  purpose text not null,       -- 'wallet', or 'charge:' and the charge's id
  -- Made with a key that is not in the database: six digits alone could be found by trying them all.
  code_hash bytea not null,
  -- Only where no phone is reached (staging without a gateway) and the page has to show the code.
  sealed_code bytea,
  -- Not now(): that is when the transaction began, possibly long before it got the recipient's row.
  sent_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  right_at timestamptz,        -- it was typed correctly
  used_at timestamptz,

  constraint one_time_codes_pk primary key (msisdn, id),
  constraint one_time_codes_purpose_known check (purpose = 'wallet' or purpose like 'charge:%'),
  constraint one_time_codes_tries_bounded check (tries between 0 and 5),
  constraint one_time_codes_used_only_when_right check (used_at is null or right_at is not null)
);
create index one_time_codes_by_age on one_time_codes (sent_at) where tries >= 0;

create table wallet_sessions (
  msisdn text not null,
  token_hash bytea not null,   -- SHA-256 of a random secret that only the browser has
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),

  constraint wallet_sessions_pk primary key (msisdn, token_hash)
);
create index wallet_sessions_by_age on wallet_sessions (created_at) where created_at > '-infinity';
