-- compatible-from: 10
-- Books that others can check. A company's postings are chained: each call of post_movements makes a hash of its
-- postings and of the hash before. Each day that is over is sealed by the operator's signature over such a hash. And
-- sums are kept along the postings, so that a statement costs the same after ten years.
--
-- What must never happen: that postings are changed, removed or put in, and nobody can tell; that a sealed day gets
-- another posting; that a statement does not add up.
--
-- Postings from before stay outside the chain: it begins behind them, with the first that post_movements writes anew.

alter table postings
  add column mark integer,     -- a hash of it alone: tells which posting of a set was changed
  add column chain bytea;      -- the hash after it, on the last posting of each set
alter table books
  add column chain bytea,           -- the hash after the last posting; null: none is chained yet
  add column chained_after bigint,  -- the number behind which the chain begins
  -- No posting has a time before this, whatever the clock does: neither before the last one nor in a day that is sealed.
  add column posted_at timestamptz not null default '-infinity',
  add constraint books_chained_from_somewhere check ((chain is null) = (chained_after is null));

-- The operator's word for a day of a company's books. Whoever has a copy can tell when that history is another later.
create table seals (
  company_id uuid not null references companies (company_id),
  day date not null,           -- in the company's time zone
  until timestamptz not null,  -- when it was over
  number bigint not null,      -- of the last posting before that
  balance bigint not null,     -- what was available after it
  hash bytea not null,         -- the chain there
  key_id text not null,        -- who signed: see ledger_keys
  signature bytea not null,
  sealed_at timestamptz not null default now(),

  constraint seals_pk primary key (company_id, day),
  constraint seals_number_once unique (company_id, number)
);

-- The public halves of all keys that ever signed; the private one is sealed in purpose_keys. Reference group.
create table ledger_keys (
  id text not null,            -- made from the public key
  public_key bytea not null,
  created_at timestamptz not null default now(),

  constraint ledger_keys_pk primary key (id)
);

-- What all lines of a statement up to a number sum to, by event: one row for each thousand postings and each
-- sub-company that has a line among them. The sub-company of zeros stands for the company as a whole.
create table statement_totals (
  company_id uuid not null,
  sub_company_id uuid not null,
  number bigint not null,
  events text[] not null,
  counts bigint[] not null,
  amounts bigint[] not null,
  fees bigint[] not null,

  constraint statement_totals_pk primary key (company_id, sub_company_id, number)
);

-- How far a company's postings are summed and sealed. Its row is the lock of both, which nobody who moves money takes.
create table statement_progress (
  company_id uuid not null references companies (company_id),
  totalled_to bigint not null default 0,
  sealed_to bigint not null default 0,
  seal_after timestamptz not null default '-infinity',  -- no day is over before this moment

  constraint statement_progress_pk primary key (company_id)
);

create trigger seals_append_only before update or delete on seals
  for each row execute function refuse_change();
create trigger seals_not_truncated before truncate on seals
  for each statement execute function refuse_change();
revoke update, delete, truncate on seals from public;
create trigger ledger_keys_append_only before update or delete on ledger_keys
  for each row execute function refuse_change();
create trigger ledger_keys_not_truncated before truncate on ledger_keys
  for each statement execute function refuse_change();
revoke update, delete, truncate on ledger_keys from public;

-- A statement knows a payment or a refund by its id alone. Conditional for the planner's sake: see the indexes of transfers.
create index charge_transactions_by_id on charge_transactions (company_id, id) where amount > 0;

-- Events of everything but transfers bring their payload. (Not looked at again in what is there: it was written under
-- the stricter rule before.)
alter type topic add value 'statements/sealed';
alter table events
  drop constraint events_payload_of_what_changes,
  add constraint events_payload_of_what_changes check (
    (topic not in ('transactions/started', 'transactions/completed', 'transactions/failed')) = (payload is not null)) not valid;
