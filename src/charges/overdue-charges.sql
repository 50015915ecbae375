-- Charges that are due have a partial index, which drains as they are paid. A drained index looks expensive to the
-- planner (webhooks/queue-deliveries.sql tells why), so both functions ask for its order and may not sort.

-- Due charges whose time is over, the longest first: all of them, once their company is frozen.
create or replace function overdue_charges(p_company uuid, p_limit integer) returns setof uuid
language plpgsql
set enable_sort = off
as $$
begin
  return query
    select c.id from charges c
    where c.company_id = p_company and c.paid = 0 and c.dropped_reason is null and c.expires_at <= (
      select case when b.is_frozen then 'infinity' else now() end from books b where b.company_id = p_company)
    order by c.expires_at limit p_limit;
end
$$;

-- Milliseconds until the next due charge's time is over, which is now for a frozen company; null when none is due.
create or replace function next_expiry_ms(p_company uuid) returns double precision
language plpgsql
set enable_sort = off
as $$
begin
  return (
    select case when b.is_frozen then 0 else extract(epoch from c.expires_at - clock_timestamp()) * 1000 end
    from books b
    cross join lateral (
      select i.expires_at from charges i
      where i.company_id = p_company and i.paid = 0 and i.dropped_reason is null
      order by i.expires_at limit 1
    ) as c
    where b.company_id = p_company);
end
$$;
