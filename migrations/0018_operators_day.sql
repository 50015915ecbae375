-- compatible-from: 10
-- What the operator does with a company after it was made: taking money out, correcting its books, and changing what it
-- pays and may send. (A node of the release before knows nothing of prices that change: once they have, it is asked to
-- come again, until the last of its kind has gone.)

alter type posting_event add value 'company.withdrawn';
alter type posting_event add value 'company.adjusted';

-- What a person wants to remember of it.
alter table fundings add column memo text;
alter table fundings add constraint fundings_memo_length check (length(memo) between 1 and 200);

-- Money that left for outside: a bank transfer to the company. Its reference lets it happen once, for ever.
create table withdrawals (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  amount bigint not null,
  reference text not null,
  memo text,
  created_at timestamptz not null default now(),

  constraint withdrawals_pk primary key (company_id, id),
  constraint withdrawals_amount_positive check (amount > 0),
  constraint withdrawals_reference_given check (reference <> ''),
  constraint withdrawals_memo_length check (length(memo) between 1 and 200)
);
create unique index withdrawals_reference_once on withdrawals (company_id, reference) where reference <> '';

-- A correction: from one account of the books to another. What is in flight and what was paid out is never corrected
-- here, because the queue of transfers and the wallets of people say the same and would contradict it.
create table adjustments (
  company_id uuid not null references companies (company_id),
  id uuid not null,
  from_account account not null,
  to_account account not null,
  amount bigint not null,
  reference text not null,
  reason text not null,
  created_at timestamptz not null default now(),

  constraint adjustments_pk primary key (company_id, id),
  constraint adjustments_amount_positive check (amount > 0),
  constraint adjustments_two_accounts check (from_account <> to_account),
  constraint adjustments_of_what_nothing_else_counts check (
    from_account in ('available', 'fees', 'external') and to_account in ('available', 'fees', 'external')),
  constraint adjustments_reference_given check (reference <> ''),
  constraint adjustments_reason_length check (length(reason) between 1 and 200)
);
create unique index adjustments_reference_once on adjustments (company_id, reference) where reference <> '';

-- Fees and limits of a company, with their time. The last of them is in companies too, and its number in books: whoever
-- accepts a transfer or a charge compares it with the number of those it was judged by.
create table prices (
  company_id uuid not null references companies (company_id),
  number integer not null,          -- 1, 2, 3 … per company
  since timestamptz not null default now(),
  after_posting bigint not null,    -- holds for transfers that were reserved after this posting
  after_charge uuid not null,       -- and for charges with a higher id than this
  transfer_fee_rate_ppm integer not null,
  transfer_fee_flat bigint not null,
  transfer_fee_min bigint not null,
  transfer_fee_max bigint,
  transfer_amount_min bigint not null,
  transfer_amount_max bigint not null,
  charge_fee_rate_ppm integer not null,
  charge_amount_min bigint not null,
  charge_amount_max bigint not null,

  constraint prices_pk primary key (company_id, number),
  constraint prices_numbered check (number > 0)
);
alter table books add column price integer not null default 1;

-- What held before is not known for sure: a company that is there already has its first price from here on.
insert into prices (
  company_id, number, after_posting, after_charge, transfer_fee_rate_ppm, transfer_fee_flat, transfer_fee_min,
  transfer_fee_max, transfer_amount_min, transfer_amount_max, charge_fee_rate_ppm, charge_amount_min, charge_amount_max)
select c.company_id, 1, b.last_posting,
  coalesce((select i.id from charges i where i.company_id = c.company_id order by i.id desc limit 1),
    '00000000-0000-0000-0000-000000000000'),
  c.transfer_fee_rate_ppm, c.transfer_fee_flat, c.transfer_fee_min, c.transfer_fee_max, c.transfer_amount_min,
  c.transfer_amount_max, c.charge_fee_rate_ppm, c.charge_amount_min, c.charge_amount_max
from companies c
join books b on b.company_id = c.company_id;

create trigger withdrawals_append_only before update or delete on withdrawals
  for each row execute function refuse_change();
create trigger withdrawals_not_truncated before truncate on withdrawals
  for each statement execute function refuse_change();
revoke update, delete, truncate on withdrawals from public;

create trigger adjustments_append_only before update or delete on adjustments
  for each row execute function refuse_change();
create trigger adjustments_not_truncated before truncate on adjustments
  for each statement execute function refuse_change();
revoke update, delete, truncate on adjustments from public;

create trigger prices_append_only before update or delete on prices
  for each row execute function refuse_change();
create trigger prices_not_truncated before truncate on prices
  for each statement execute function refuse_change();
revoke update, delete, truncate on prices from public;
