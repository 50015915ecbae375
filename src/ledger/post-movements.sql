-- Moves money: the same movement, debit to credit, for many subjects at once. It takes the company's lock, if its caller
-- does not hold it already. p_at is the time that the subjects bear; facts: see add_postings.
create or replace function post_movements(
  p_company uuid, p_event posting_event, p_debit account, p_credit account, p_subjects uuid[], p_amounts bigint[],
  p_at timestamptz, p_facts text[]
) returns void
language plpgsql
as $$
declare
  v_books books;
begin
  if coalesce(cardinality(p_subjects), 0) = 0 then
    return;
  end if;
  select * into v_books from books b where b.company_id = p_company for update;
  if not found then
    raise exception 'company % has no books', p_company using errcode = 'CA404';
  end if;
  v_books.posted_at := greatest(v_books.posted_at, p_at);
  perform keep_books(v_books, add_postings(v_books, p_event, p_debit, p_credit, p_subjects, p_amounts, p_facts));
end
$$;

-- The same without facts, as earlier releases call it.
create or replace function post_movements(
  p_company uuid, p_event posting_event, p_debit account, p_credit account, p_subjects uuid[], p_amounts bigint[]
) returns void
language sql
as $$
  select post_movements(p_company, p_event, p_debit, p_credit, p_subjects, p_amounts,
    date_trunc('milliseconds', clock_timestamp()), null)
$$;

-- Writes postings, and answers the books as they are after them: the only place that does. Whoever calls it has read the
-- books under their lock and ends with keep_books, so that a set that posts, tells and numbers writes its books once.
--
-- What it writes in one call is a set of the company's chain: src/statements/chain.ts tells how hashes are made. p_facts has
-- the facts_text of each subject; it is empty where another set has them, and null in sets of the first version of the text.
-- Postings bear the time that its caller has put into the books, which is that of their subjects.
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
  v_manner text;  -- what all postings of the set have in common
  v_seed bigint;
  v_chain bytea;
begin
  if v_count = 0 then
    return;
  end if;
  -- What was reserved may come back, and the operator may put money in. Nothing else of a frozen company moves.
  if p_books.is_frozen and p_event not in ('transfer.released', 'company.funded') then
    raise exception 'company % is frozen', p_books.company_id using errcode = 'CA403';
  end if;
  v_manner := p_event || ' ' || p_debit || ' ' || p_credit || ' '
    || to_char(v_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  v_chain := coalesce(p_books.chain,
    sha256(convert_to('cauri ledger of ' || p_books.company_id || ' after posting ' || p_books.last_posting, 'UTF8')));
  v_chain := sha256(v_chain || sha256(convert_to(case when p_facts is null then '' else 'cauri set 2' || chr(10) end
    || p_books.last_posting + 1 || ' ' || v_manner || ' ' || case when v_sign = 0 then '-' else p_books.available::text end || chr(10)
    || array_to_string(p_subjects, ' ') || chr(10) || array_to_string(p_amounts, ' ')
    || case when p_facts <> '{}' then chr(10) || array_to_string(p_facts, chr(10)) else '' end, 'UTF8')));
  v_seed := hashtextextended(v_manner, 0);
  select sum(x.amount) into v_total from unnest(p_amounts) as x(amount);
  if (p_debit = 'available' and p_books.available < v_total)
    or (p_debit = 'in_flight' and p_books.in_flight < v_total)
    or (p_debit = 'fees' and p_books.fees < v_total)
  then
    raise exception 'account % of company % is too low for %', p_debit, p_books.company_id, v_total
      using errcode = 'CA402';
  end if;

  insert into postings as p (
    company_id, number, event, subject_id, debit_account, credit_account, amount, available_after, created_at, mark, chain)
  select c.company_id, p_books.last_posting + x.place, p_event, x.subject_id, p_debit, p_credit, x.amount,
    case when v_sign <> 0 then
      p_books.available + v_sign * sum(x.amount) over (order by x.place rows unbounded preceding)
    end, v_at,
    posting_mark(v_seed, p_books.last_posting + x.place, x.subject_id, x.amount, x.facts),
    case when x.place = v_count then v_chain end
  from companies c, unnest(p_subjects, p_amounts, p_facts) with ordinality as x(subject_id, amount, facts, place)
  where c.company_id = p_books.company_id;

  p_books.available := p_books.available + v_total * v_sign;
  p_books.in_flight := p_books.in_flight + v_total * ((p_credit = 'in_flight')::integer - (p_debit = 'in_flight')::integer);
  p_books.fees := p_books.fees + v_total * ((p_credit = 'fees')::integer - (p_debit = 'fees')::integer);
  p_books.external := p_books.external + v_total * ((p_credit = 'external')::integer - (p_debit = 'external')::integer);
  p_books.paid_out := p_books.paid_out + v_total * ((p_credit = 'paid_out')::integer - (p_debit = 'paid_out')::integer);
  p_books.chained_after := coalesce(p_books.chained_after, p_books.last_posting);
  p_books.last_posting := p_books.last_posting + v_count;
  p_books.posted_at := v_at;
  p_books.chain := v_chain;
end
$$;

-- The same without facts, at the time that the clock says: what a call that began before an upgrade still needs.
create or replace function add_postings(
  inout p_books books, p_event posting_event, p_debit account, p_credit account, p_subjects uuid[], p_amounts bigint[]
)
language plpgsql
as $$
begin
  p_books.posted_at := greatest(p_books.posted_at, date_trunc('milliseconds', clock_timestamp()));
  p_books := add_postings(p_books, p_event, p_debit, p_credit, p_subjects, p_amounts, null);
end
$$;

-- Writes the books down as add_postings and add_events have made them of those that were read. Their lock has been held
-- since; what their own transaction wrote into them meanwhile would be undone, so that is refused.
create or replace function keep_books(p_read books, p_made books) returns void
language plpgsql
as $$
begin
  update books as b set
    available = p_made.available,
    in_flight = p_made.in_flight,
    fees = p_made.fees,
    external = p_made.external,
    paid_out = p_made.paid_out,
    last_posting = p_made.last_posting,
    last_event = p_made.last_event,
    last_ms = p_made.last_ms,
    last_count = p_made.last_count,
    posted_at = p_made.posted_at,
    chain = p_made.chain,
    chained_after = p_made.chained_after
  where b.company_id = p_read.company_id and b.last_posting = p_read.last_posting and b.last_event = p_read.last_event
    and b.last_ms = p_read.last_ms and b.last_count = p_read.last_count;
  if not found then
    raise exception 'the books of company % were written by somebody else', p_read.company_id using errcode = 'CA003';
  end if;
end
$$;
