-- The company's part of a payment, in one call and last: from its first line on, the company's other money waits for
-- the commit. What is posted is not dated before p_paid_at, the time that the payment bears.
create or replace function book_payment(
  p_company uuid, p_charge uuid, p_payment uuid, p_amount bigint, p_fee bigint, p_payload text,
  p_paid_at timestamptz default '-infinity'
) returns void
language plpgsql
as $$
declare
  v_books books;  -- as they were read
  v_made books;   -- and what became of them
  v_facts text[];
begin
  v_facts := array[charge_facts(p_company, p_charge, p_payment)];
  select * into v_books from books b where b.company_id = p_company for update;
  v_books.posted_at := greatest(v_books.posted_at, p_paid_at);
  v_made := v_books;
  if p_amount > p_fee then
    v_made := add_postings(v_made, 'charge.paid', 'paid_out', 'available', array[p_payment], array[p_amount - p_fee],
      v_facts);
  end if;
  if p_fee > 0 then
    v_made := add_postings(v_made, 'charge.paid', 'paid_out', 'fees', array[p_payment], array[p_fee], v_facts);
  end if;
  v_made := add_events(v_made, 'charge/events', array[p_charge], array[p_payload]);
  perform keep_books(v_books, v_made);
end
$$;

-- The same way back. Refused with CA402 when the company has not enough left.
create or replace function book_refund(
  p_company uuid, p_charge uuid, p_refund uuid, p_amount bigint, p_fee bigint, p_payload text,
  p_refunded_at timestamptz default '-infinity'
) returns void
language plpgsql
as $$
declare
  v_books books;
  v_made books;
  v_facts text[];
begin
  v_facts := array[charge_facts(p_company, p_charge, p_refund)];
  select * into v_books from books b where b.company_id = p_company for update;
  v_books.posted_at := greatest(v_books.posted_at, p_refunded_at);
  v_made := v_books;
  if p_amount > p_fee then
    v_made := add_postings(v_made, 'charge.refunded', 'available', 'paid_out', array[p_refund], array[p_amount - p_fee],
      v_facts);
  end if;
  if p_fee > 0 then
    v_made := add_postings(v_made, 'charge.refunded', 'fees', 'paid_out', array[p_refund], array[p_fee], v_facts);
  end if;
  v_made := add_events(v_made, 'charge/events', array[p_charge], array[p_payload]);
  perform keep_books(v_books, v_made);
end
$$;

-- The facts of a payment or a refund, which its caller has written down. What a statement does not show of it: when it was made, the
-- reason of a refund, and who had tried to pay before.
create or replace function charge_facts(p_company uuid, p_charge uuid, p_transaction uuid) returns text
language plpgsql
as $$
declare
  v_facts text;
begin
  select facts_text(case when k.type = 'refund' then -k.fee else k.fee end, c.id, null, coalesce(c.external_id_given, c.external_id),
    k.msisdn_given, c.sub_company_id, null, c.description, charge_hidden(k.created_at, k.reason, k.type, f.attempts))
  into v_facts
  from charges c
  cross join lateral (
    select i.* from charge_transactions i
    where i.company_id = p_company and i.charge_id = p_charge and i.id = p_transaction limit 1
  ) as k
  cross join lateral (
    select string_agg(concat_ws(' ', i.id, i.msisdn_given, i.amount, i.error, extract(epoch from i.created_at)), chr(10) order by i.id)
      as attempts
    from charge_transactions i
    where i.company_id = p_company and i.charge_id = p_charge and i.status = 'failed'
  ) as f
  where c.company_id = p_company and c.id = p_charge;
  return v_facts;
end
$$;

create or replace function charge_hidden(
  p_at timestamptz, p_reason text, p_type charge_transaction_type, p_attempts text
) returns text
language sql immutable
as $$
  select 'made ' || extract(epoch from p_at) || coalesce(' because ' || p_reason, '')
    || case when p_type = 'payment' then coalesce(chr(10) || p_attempts, '') else '' end
$$;
