-- The company's part of a payment, in one call and last: from its first line on, the company's other money waits for
-- the commit.
create or replace function book_payment(
  p_company uuid, p_charge uuid, p_payment uuid, p_amount bigint, p_fee bigint, p_payload text
) returns void
language plpgsql
as $$
begin
  if p_amount > p_fee then
    perform post_movements(p_company, 'charge.paid', 'paid_out', 'available',
      array[p_payment], array[p_amount - p_fee]);
  end if;
  if p_fee > 0 then
    perform post_movements(p_company, 'charge.paid', 'paid_out', 'fees', array[p_payment], array[p_fee]);
  end if;
  perform publish_events(p_company, 'charge/events', array[p_charge], array[p_payload]);
end
$$;

-- The same way back. Refused with CA402 when the company has not enough left.
create or replace function book_refund(
  p_company uuid, p_charge uuid, p_refund uuid, p_amount bigint, p_fee bigint, p_payload text
) returns void
language plpgsql
as $$
begin
  if p_amount > p_fee then
    perform post_movements(p_company, 'charge.refunded', 'available', 'paid_out',
      array[p_refund], array[p_amount - p_fee]);
  end if;
  if p_fee > 0 then
    perform post_movements(p_company, 'charge.refunded', 'fees', 'paid_out', array[p_refund], array[p_fee]);
  end if;
  perform publish_events(p_company, 'charge/events', array[p_charge], array[p_payload]);
end
$$;
