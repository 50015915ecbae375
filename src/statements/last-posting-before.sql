-- The number of the last posting of a company before a moment, 0 when there is none. Times grow with the numbers, so it
-- is found by halving, along the primary key, and no index is needed that every movement would have to keep.
--
-- A sealed day ended with the posting that its seal names, and none is put before its end any more. So the halving begins
-- between the seals on both sides of the moment, however many years are behind the company; at the end of a sealed day
-- there is nothing left to halve.
create or replace function last_posting_before(p_company uuid, p_moment timestamptz) returns bigint
language plpgsql stable
as $$
declare
  v_day date := (p_moment at time zone 'UTC')::date;  -- by every clock of the world the same, or a neighbour
  v_low bigint;     -- is before, and all up to it
  v_high bigint;    -- nothing after it is
  v_middle bigint;
begin
  -- Of four neighbouring days one at least is on the right side of the moment, whatever the time zone.
  select s.number into v_low
  from (
    select i.day, i.number, i.until from seals i
    where i.company_id = p_company and i.day <= v_day + 1 order by i.day desc limit 4
  ) as s
  where s.until <= p_moment order by s.day desc limit 1;
  select s.number into v_high
  from (
    select i.day, i.number, i.until from seals i
    where i.company_id = p_company and i.day >= v_day - 2 order by i.day limit 4
  ) as s
  where s.until >= p_moment order by s.day limit 1;
  if v_high is null then
    select b.last_posting into v_high from books b where b.company_id = p_company;
  end if;
  v_low := coalesce(v_low, 0);
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
