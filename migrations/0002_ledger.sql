-- The ledger. One row of postings holds both sides of a movement, so an unbalanced movement cannot be
-- written. Postings are never changed: a mistake is corrected by another posting.

create table accounts (
  company_id uuid not null references companies (company_id),
  kind text not null,
  -- Credits minus debits. Kept in the same transaction as the postings it sums.
  balance bigint not null default 0,
  may_overdraw boolean not null default false,

  constraint accounts_pk primary key (company_id, kind),
  constraint accounts_kind_known check (
    kind in ('available', 'in_flight', 'fees', 'external', 'paid_out')),
  constraint accounts_not_overdrawn check (may_overdraw or balance >= 0)
) with (fillfactor = 50); -- Every movement rewrites these rows; room on the page keeps that cheap.

-- No foreign key to accounts: post_movements refuses an account that is not there, and a check per
-- posting would cost a fifth of the whole insert.
create table postings (
  company_id uuid not null,
  number bigint not null,      -- without gaps per company: the order in which the money moved
  event text not null,         -- why it moved: 'transfer.reserved', 'charge.paid', ...
  subject_id uuid not null,    -- what it moved for: a transfer, a payment, a refund, a funding
  debit_account text not null,
  credit_account text not null,
  amount bigint not null,
  available_after bigint,      -- the balance a statement shows on this line
  created_at timestamptz not null default now(),

  constraint postings_pk primary key (company_id, number),
  -- A retried event finds its postings already there instead of moving the money twice.
  constraint postings_once unique (company_id, subject_id, event, debit_account, credit_account),
  constraint postings_amount_positive check (amount > 0),
  constraint postings_two_accounts check (debit_account <> credit_account)
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

-- Moves money: the same movement, debit to credit, for many subjects at once. The only place that writes
-- postings and balances. The company's 'available' row is its lock: whoever moves any of its money takes
-- that row first, so two movements of a company wait for each other and never deadlock.
create function post_movements(
  p_company uuid, p_event text, p_debit text, p_credit text, p_subjects uuid[], p_amounts bigint[]
) returns void
language plpgsql
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_total bigint;
  v_available bigint;
  v_sign integer := 0;
  v_last bigint;
begin
  if v_count = 0 then
    return;
  end if;

  select a.balance into v_available from accounts a
  where a.company_id = p_company and a.kind = 'available' for update;
  if not found then
    raise exception 'company % has no books', p_company using errcode = 'CA404';
  end if;
  if p_debit = 'available' then
    v_sign := -1;
  elsif p_credit = 'available' then
    v_sign := 1;
  end if;
  select sum(x.amount) into v_total from unnest(p_amounts) as x(amount);

  update company_counters set last_posting = last_posting + v_count
  where company_id = p_company returning last_posting into v_last;

  insert into postings as p (
    company_id, number, event, subject_id, debit_account, credit_account, amount, available_after)
  select c.company_id, v_last - v_count + x.place, p_event, x.subject_id, p_debit, p_credit, x.amount,
    case when v_sign <> 0 then
      v_available + v_sign * sum(x.amount) over (order by x.place rows unbounded preceding)
    end
  from companies c, unnest(p_subjects, p_amounts) with ordinality as x(subject_id, amount, place)
  where c.company_id = p_company;

  update accounts set balance = balance - v_total where company_id = p_company and kind = p_debit
    and (may_overdraw or balance >= v_total);
  if not found then
    raise exception 'account % of company % is too low for %', p_debit, p_company, v_total
      using errcode = 'CA402';
  end if;
  update accounts set balance = balance + v_total where company_id = p_company and kind = p_credit;
  if not found then
    raise exception 'company % has no account %', p_company, p_credit using errcode = 'CA404';
  end if;
end
$$;
