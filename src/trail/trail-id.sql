-- The id of an entry of the trail: in the order of the database's clock, to the microsecond.
create or replace function trail_id(p_nonce bigint) returns uuid
language sql volatile
as $$
  select ordered_id(t.us / 1000, (t.us % 1000)::integer, p_nonce)
  from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as t;
$$;
