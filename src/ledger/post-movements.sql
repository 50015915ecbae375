-- Moves money: the same movement, debit to credit, for many subjects at once. The only place that writes postings
-- and balances. It takes the company's lock, if its caller does not hold it already.
--
-- What it writes in one call is a set of the company's chain: src/statements/chain.ts tells how hashes are made. A mark
-- proves nothing, so any hash does; it tells which posting of a set was changed.
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
  v_manner text;  -- what all postings of the set have in common
  v_seed bigint;
  v_chain bytea;
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
  v_at := greatest(v_books.posted_at, date_trunc('milliseconds', clock_timestamp()));
  v_manner := p_event || ' ' || p_debit || ' ' || p_credit || ' '
    || to_char(v_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  v_chain := coalesce(v_books.chain,
    sha256(convert_to('cauri ledger of ' || p_company || ' after posting ' || v_books.last_posting, 'UTF8')));
  v_chain := sha256(v_chain || sha256(convert_to(v_books.last_posting + 1 || ' ' || v_manner || ' '
    || case when v_sign = 0 then '-' else v_books.available::text end || chr(10)
    || array_to_string(p_subjects, ' ') || chr(10) || array_to_string(p_amounts, ' '), 'UTF8')));
  v_seed := hashtextextended(v_manner, 0);
  select sum(x.amount) into v_total from unnest(p_amounts) as x(amount);
  if (p_debit = 'available' and v_books.available < v_total)
    or (p_debit = 'in_flight' and v_books.in_flight < v_total)
    or (p_debit = 'fees' and v_books.fees < v_total)
  then
    raise exception 'account % of company % is too low for %', p_debit, p_company, v_total
      using errcode = 'CA402';
  end if;

  insert into postings as p (
    company_id, number, event, subject_id, debit_account, credit_account, amount, available_after, created_at, mark, chain)
  select c.company_id, v_books.last_posting + x.place, p_event, x.subject_id, p_debit, p_credit, x.amount,
    case when v_sign <> 0 then
      v_books.available + v_sign * sum(x.amount) over (order by x.place rows unbounded preceding)
    end, v_at,
    (hashint8extended(x.amount, uuid_hash_extended(x.subject_id, v_seed # (v_books.last_posting + x.place))) >> 32)::integer,
    case when x.place = v_count then v_chain end
  from companies c, unnest(p_subjects, p_amounts) with ordinality as x(subject_id, amount, place)
  where c.company_id = p_company;

  update books as b set
    available = b.available + v_total * v_sign,
    in_flight = b.in_flight + v_total * ((p_credit = 'in_flight')::integer - (p_debit = 'in_flight')::integer),
    fees = b.fees + v_total * ((p_credit = 'fees')::integer - (p_debit = 'fees')::integer),
    external = b.external + v_total * ((p_credit = 'external')::integer - (p_debit = 'external')::integer),
    paid_out = b.paid_out + v_total * ((p_credit = 'paid_out')::integer - (p_debit = 'paid_out')::integer),
    last_posting = b.last_posting + v_count,
    posted_at = v_at,
    chain = v_chain,
    chained_after = coalesce(b.chained_after, v_books.last_posting)
  where b.company_id = p_company;
end
$$;
