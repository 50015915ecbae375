/** post_movements as it would be if nothing were chained: what the chain costs is the difference. */
export const unchainedPosting = `
create or replace function post_movements(
  p_company uuid, p_event posting_event, p_debit account, p_credit account, p_subjects uuid[], p_amounts bigint[]
) returns void
language plpgsql
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_total bigint;
  v_books books;
  v_at timestamptz;
  v_sign integer := (p_credit = 'available')::integer - (p_debit = 'available')::integer;
begin
  if v_count = 0 then
    return;
  end if;
  select * into v_books from books b where b.company_id = p_company for update;
  if not found then
    raise exception 'company % has no books', p_company using errcode = 'CA404';
  end if;
  -- What was reserved may come back, and the operator may put money in. Nothing else of a frozen company moves.
  if v_books.is_frozen and p_event not in ('transfer.released', 'company.funded') then
    raise exception 'company % is frozen', p_company using errcode = 'CA403';
  end if;
  -- Under the lock, so that time and number grow together.
  v_at := date_trunc('milliseconds', clock_timestamp());
  select sum(x.amount) into v_total from unnest(p_amounts) as x(amount);
  if (p_debit = 'available' and v_books.available < v_total)
    or (p_debit = 'in_flight' and v_books.in_flight < v_total)
    or (p_debit = 'fees' and v_books.fees < v_total)
  then
    raise exception 'account % of company % is too low for %', p_debit, p_company, v_total
      using errcode = 'CA402';
  end if;

  insert into postings as p (
    company_id, number, event, subject_id, debit_account, credit_account, amount, available_after, created_at)
  select c.company_id, v_books.last_posting + x.place, p_event, x.subject_id, p_debit, p_credit, x.amount,
    case when v_sign <> 0 then
      v_books.available + v_sign * sum(x.amount) over (order by x.place rows unbounded preceding)
    end, v_at
  from companies c, unnest(p_subjects, p_amounts) with ordinality as x(subject_id, amount, place)
  where c.company_id = p_company;

  update books as b set
    available = b.available + v_total * v_sign,
    in_flight = b.in_flight + v_total * ((p_credit = 'in_flight')::integer - (p_debit = 'in_flight')::integer),
    fees = b.fees + v_total * ((p_credit = 'fees')::integer - (p_debit = 'fees')::integer),
    external = b.external + v_total * ((p_credit = 'external')::integer - (p_debit = 'external')::integer),
    paid_out = b.paid_out + v_total * ((p_credit = 'paid_out')::integer - (p_debit = 'paid_out')::integer),
    last_posting = b.last_posting + v_count
  where b.company_id = p_company;
end
$$;`;
