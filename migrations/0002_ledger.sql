-- The ledger. One row of postings holds both sides of a movement, so an unbalanced movement cannot be
-- written. Postings are never changed: a mistake is corrected by another posting.

create type account as enum ('available', 'in_flight', 'fees', 'external', 'paid_out');
create type posting_event as enum (
  'company.funded', 'transfer.reserved', 'transfer.completed', 'transfer.released', 'charge.paid',
  'charge.refunded');

-- One row holds a company's books: what its five accounts contain, the last number of its postings and
-- events, and the end of its lists of transfers and batches. It is the company's lock: whoever moves any of
-- its money takes this row, so two movements of a company wait for each other and never deadlock, and two
-- companies never wait for each other.
create table books (
  company_id uuid not null references companies (company_id),
  -- Credits minus debits, kept in the same transaction as the postings they sum.
  available bigint not null default 0,
  in_flight bigint not null default 0,
  fees bigint not null default 0,
  -- The world outside the company, which may overdraw: where its money came from, and what people hold of it.
  external bigint not null default 0,
  paid_out bigint not null default 0,
  last_posting bigint not null default 0,  -- numbers without gaps
  last_event bigint not null default 0,    -- numbers without gaps
  last_ms bigint not null default 0,       -- the time inside the newest id
  last_count integer not null default 0,   -- and its count within that millisecond

  constraint books_pk primary key (company_id),
  constraint books_not_overdrawn check (available >= 0 and in_flight >= 0 and fees >= 0),
  constraint books_close check (available + in_flight + fees + external + paid_out = 0),
  -- Amounts travel as JSON numbers, which are exact up to 2^53 - 1.
  constraint books_exact check (
    available <= 9007199254740991 and external >= -9007199254740991
    and paid_out between -9007199254740991 and 9007199254740991)
) with (fillfactor = 50); -- Every movement rewrites the row; room on its page keeps that cheap.

-- The subject (a transfer, a payment, a refund, a funding) is a row of its own that is inserted together with
-- its postings and whose key lets it in once: that is what keeps money from moving twice.
create table postings (
  company_id uuid not null,
  number bigint not null,           -- without gaps per company: the order in which the money moved
  subject_id uuid not null,         -- what it moved for
  amount bigint not null,
  available_after bigint,           -- the balance a statement shows on this line
  created_at timestamptz not null default now(),
  event posting_event not null,     -- why it moved
  debit_account account not null,
  credit_account account not null,

  constraint postings_pk primary key (company_id, number),
  constraint postings_amount_positive check (amount > 0),
  constraint postings_two_accounts check (debit_account <> credit_account)
);

-- Money that came in from outside: a bank transfer, cash at the counter.
create table fundings (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  amount bigint not null,
  created_at timestamptz not null default now(),

  constraint fundings_pk primary key (company_id, id),
  constraint fundings_amount_positive check (amount > 0)
);

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'CA001', hint = 'Correct a movement by another movement.';
end
$$;

create trigger postings_append_only before update or delete on postings
  for each row execute function refuse_change();
create trigger postings_not_truncated before truncate on postings
  for each statement execute function refuse_change();
revoke update, delete, truncate on postings from public;

create trigger fundings_append_only before update or delete on fundings
  for each row execute function refuse_change();
create trigger fundings_not_truncated before truncate on fundings
  for each statement execute function refuse_change();
revoke update, delete, truncate on fundings from public;
