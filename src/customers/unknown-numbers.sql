-- The places of those numbers that are nobody's. They may begin with a plus. Those in p_known count as somebody's.
create or replace function unknown_numbers(p_msisdns text[], p_known text[]) returns integer[]
language plpgsql
set plan_cache_mode = 'force_generic_plan' -- Its plan cannot go wrong: one step along the key for each number.
as $$
begin
  return array(
    select x.place::integer from unnest(p_msisdns) with ordinality as x(msisdn, place)
    left join lateral (
      select true as is_known from customers i where i.msisdn = ltrim(x.msisdn, '+') limit 1
    ) as c on true
    where c.is_known is null and ltrim(x.msisdn, '+') <> all (p_known)
    order by x.place);
end
$$;
