-- Place by place: what was judged by another price than the one that holds now. Places that have a problem already keep
-- it.
create or replace function judge_prices(p_price integer, p_prices integer[], p_problems text[]) returns text[]
language sql immutable
as $$
  select array_agg(coalesce(x.problem, case when x.price <> p_price then 'price_changed' end) order by x.place)
  from unnest(p_prices, p_problems) with ordinality as x(price, problem, place);
$$;

-- A node of the release before knows one price of a company for ever. It is told what makes it answer 503, so that the
-- request comes again and finds another node: nothing is accepted at a price that does not hold.
create or replace function refuse_unpriced(p_company uuid) returns void
language plpgsql
as $$
begin
  raise exception 'the price of company % was changed: a later release has to judge by it', p_company
    using errcode = '53000';
end
$$;
