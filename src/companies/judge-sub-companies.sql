-- Adds to the problems of rows what is wrong with the sub-companies they name: unknown, or not active. A row that has a
-- problem keeps it.
create or replace function judge_sub_companies(p_company uuid, p_sub_companies uuid[], p_problems text[]) returns text[]
language plpgsql
as $$
begin
  return array(
    select coalesce(x.problem, case
      when x.sub_company_id is null then null
      when s.id is null then 'sub_company_not_found'
      when not s.is_active then 'sub_company_inactive' end)
    from unnest(p_problems, p_sub_companies) with ordinality as x(problem, sub_company_id, place)
    left join lateral (
      select i.id, i.is_active from sub_companies i
      where i.company_id = p_company and i.id = x.sub_company_id limit 1
    ) as s on true
    order by x.place);
end
$$;
