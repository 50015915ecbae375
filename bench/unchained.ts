/** add_postings as it would be if nothing were chained: what the chain costs is the difference. */
export const unchainedPosting = `
create or replace function add_postings(
  inout p_books books, p_event posting_event, p_debit account, p_credit account, p_subjects uuid[], p_amounts bigint[],
  p_facts text[]
)
language plpgsql
as $$
declare
  v_count integer := coalesce(cardinality(p_subjects), 0);
  v_total bigint;
  v_at timestamptz := p_books.posted_at;
  v_sign integer := (p_credit = 'available')::integer - (p_debit = 'available')::integer;
begin
  if v_count = 0 then
    return;
  end if;
  -- What was reserved may come back, and the operator may put money in. Nothing else of a frozen company moves.
  if p_books.is_frozen and p_event not in ('transfer.released', 'company.funded') then
    raise exception 'company % is frozen', p_books.company_id using errcode = 'CA403';
  end if;
  select sum(x.amount) into v_total from unnest(p_amounts) as x(amount);
  if (p_debit = 'available' and p_books.available < v_total)
    or (p_debit = 'in_flight' and p_books.in_flight < v_total)
    or (p_debit = 'fees' and p_books.fees < v_total)
  then
    raise exception 'account % of company % is too low for %', p_debit, p_books.company_id, v_total
      using errcode = 'CA402';
  end if;

  insert into postings as p (
    company_id, number, event, subject_id, debit_account, credit_account, amount, available_after, created_at)
  select c.company_id, p_books.last_posting + x.place, p_event, x.subject_id, p_debit, p_credit, x.amount,
    case when v_sign <> 0 then
      p_books.available + v_sign * sum(x.amount) over (order by x.place rows unbounded preceding)
    end, v_at
  from companies c, unnest(p_subjects, p_amounts) with ordinality as x(subject_id, amount, place)
  where c.company_id = p_books.company_id;

  p_books.available := p_books.available + v_total * v_sign;
  p_books.in_flight := p_books.in_flight + v_total * ((p_credit = 'in_flight')::integer - (p_debit = 'in_flight')::integer);
  p_books.fees := p_books.fees + v_total * ((p_credit = 'fees')::integer - (p_debit = 'fees')::integer);
  p_books.external := p_books.external + v_total * ((p_credit = 'external')::integer - (p_debit = 'external')::integer);
  p_books.paid_out := p_books.paid_out + v_total * ((p_credit = 'paid_out')::integer - (p_debit = 'paid_out')::integer);
  p_books.last_posting := p_books.last_posting + v_count;
end
$$;`;
