-- Where the payer of a charge stands on its page: which phone is in use, how many codes were asked for, and
-- what the page has to say. Company group. One row per charge, made when the first code is asked for.
--
-- What must never happen: that one link sends codes without end, whatever numbers are typed into it. The
-- payment itself is decided elsewhere: nothing here can pay, and without this row the page begins anew.

create table checkouts (
  company_id uuid not null,
  charge_id uuid not null,
  msisdn text,                 -- digits; null while the payer is choosing another phone
  sends integer not null default 0,
  -- The charge's attempts when the code was sent: one more since then is a failure to tell of.
  attempts_before integer not null default 0,
  notice text,                 -- why no code was sent, or that the one typed was wrong
  notice_until timestamptz,
  updated_at timestamptz not null default now(),

  constraint checkouts_pk primary key (company_id, charge_id),
  constraint checkouts_msisdn_is_digits check (msisdn ~ '^[0-9]{8,15}$'),
  constraint checkouts_sends_limited check (sends between 0 and 6),
  constraint checkouts_notice_known check (
    notice in ('wrong_code', 'pause', 'purpose', 'phone', 'charge', 'unsent')),
  constraint checkouts_notice_ends check ((notice is null) = (notice_until is null))
);
-- Conditional for the planner's sake: see the indexes of transfers.
create index checkouts_by_age on checkouts (company_id, updated_at) where updated_at > '-infinity';
