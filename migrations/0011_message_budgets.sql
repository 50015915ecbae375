-- compatible-from: 10
-- Budgets of messages, and codes that belong to one browser.
--
-- What must never happen: more messages than a budget allows, on any number of nodes; and that somebody burns, sees or
-- guesses a code that another browser asked for.

-- How many messages went out, one row per subject: 'phone:' and digits, 'address:' and a network, 'company:' and an id,
-- 'country:' and a calling code, or 'all'. The rows of one message are locked in that order, the most shared ones last.
-- A group of its own: subject leads its key, and nothing else is ever joined to it.
create table message_counts (
  subject text not null,
  hour timestamptz not null,   -- the hour that hour_count counts, and the day of day_count (UTC)
  hour_count integer not null default 0,
  day timestamptz not null,
  day_count integer not null default 0,

  constraint message_counts_pk primary key (subject),
  constraint message_counts_not_negative check (hour_count >= 0 and day_count >= 0)
) with (fillfactor = 50);
-- Conditional for the planner's sake: see the indexes of transfers.
create index message_counts_by_age on message_counts (day) where day > '-infinity';

-- Whoever asked for a code holds a random cookie, and the code is compared with nothing that comes without it.
alter table one_time_codes
  add column browser_hash bytea,                       -- SHA-256 of the cookie; null: sent before there were cookies
  add column is_known boolean not null default false;  -- the browser had proven before that it belongs to this phone
-- Codes that nobody guessed at are forgotten after a day; the wrong tries of the others count for fifty.
create index one_time_codes_forgettable on one_time_codes (sent_at)
  where tries = 0 or right_at is not null;

-- Browsers in which a code of this phone was used. What strangers do to a phone does not make them wait.
create table known_browsers (
  msisdn text not null,
  browser_hash bytea not null,
  proved_at timestamptz not null default now(),

  constraint known_browsers_pk primary key (msisdn, browser_hash),
  constraint known_browsers_msisdn_is_digits check (msisdn ~ '^[0-9]{8,15}$')
);
create index known_browsers_by_age on known_browsers (proved_at) where proved_at > '-infinity';

-- Where one browser stands on the page of a charge; checkouts goes on counting the sends of the link. (The columns of
-- checkouts that said the same for all browsers together are still written by nodes of earlier releases.)
create table checkout_browsers (
  company_id uuid not null,
  charge_id uuid not null,
  browser_hash bytea not null,
  msisdn text,                 -- digits; null while the payer is choosing another phone
  attempts_before integer not null default 0,
  notice text,
  notice_until timestamptz,
  updated_at timestamptz not null default now(),

  constraint checkout_browsers_pk primary key (company_id, charge_id, browser_hash),
  constraint checkout_browsers_msisdn_is_digits check (msisdn ~ '^[0-9]{8,15}$'),
  constraint checkout_browsers_notice_known check (
    notice in ('wrong_code', 'pause', 'purpose', 'guesses', 'phone', 'busy', 'abroad', 'charge', 'unsent')),
  constraint checkout_browsers_notice_ends check ((notice is null) = (notice_until is null))
);
create index checkout_browsers_by_age on checkout_browsers (company_id, updated_at)
  where updated_at > '-infinity';
