-- The id of an entry of the trail: in the order of the database's clock, to the microsecond, and above p_after, the newest
-- entry about the same company or person. So what was said last stands last, although the clock may have been set back.
create or replace function trail_id(p_nonce bigint, p_after uuid default null) returns uuid
language sql volatile
as $$
  select ordered_id(t.us / 1000, (t.us % 1000)::integer, p_nonce)
  from (
    select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint,
      (extract(epoch from time_of_id(p_after)) * 1000000)::bigint
        + ('x0' || substr(p_after::text, 21, 3))::bit(16)::integer + 1) as us
  ) as t;
$$;
