-- The number of the last posting of a company before a moment, 0 when there is none. Times grow with the numbers, so it
-- is found by halving: some twenty rows along the primary key, and no index that every movement would have to keep.
create or replace function last_posting_before(p_company uuid, p_moment timestamptz) returns bigint
language plpgsql stable
as $$
declare
  v_low bigint := 0;  -- is before, and all up to it
  v_high bigint;      -- nothing after it is
  v_middle bigint;
begin
  select b.last_posting into v_high from books b where b.company_id = p_company;
  while v_low < v_high loop
    v_middle := (v_low + v_high + 1) / 2;
    if exists (
      select 1 from postings p where p.company_id = p_company and p.number = v_middle and p.created_at < p_moment)
    then
      v_low := v_middle;
    else
      v_high := v_middle - 1;
    end if;
  end loop;
  return v_low;
end
$$;
