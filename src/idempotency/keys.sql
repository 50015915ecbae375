-- What was done under these keys before: per place 'replayed' and what was made, or 'idempotency_key_reused' where the
-- request was another one, or null where the key is new. Both generations are looked at, and stay what they are until the
-- transaction ends: whoever lets them change places waits for everybody who has looked.
create or replace function judge_keys(p_company uuid, p_keys text[], p_hashes bytea[], out problems text[], out made uuid[])
language plpgsql
as $$
begin
  select
    array_agg(case
      when k.made_id is null then null
      when k.request_hash = x.hash then 'replayed'
      else 'idempotency_key_reused' end order by x.place),
    array_agg(k.made_id order by x.place)
  into problems, made
  from unnest(p_keys, p_hashes) with ordinality as x(key, hash, place)
  left join lateral (
    select n.request_hash, n.made_id from (
      select i.request_hash, i.made_id from idempotency_keys i
      where i.company_id = p_company and i.key = x.key
      union all
      select f.request_hash, f.made_id from former_idempotency_keys f
      where f.company_id = p_company and f.key = x.key
    ) as n
    limit 1
  ) as k on true;
end
$$;

-- Keeps what was made under new keys, in the order of the keys, so that two who share some wait for each other and
-- never deadlock. A key that somebody else has used since judge_keys looked takes everything back, like any other
-- serialization failure: the caller asks again and finds it used.
create or replace function keep_keys(p_company uuid, p_keys text[], p_hashes bytea[], p_made uuid[]) returns void
language plpgsql
as $$
declare
  v_kept integer;
begin
  with kept as (
    insert into idempotency_keys as k (company_id, key, request_hash, made_id)
    select c.company_id, x.key, x.hash, x.made
    from companies c, unnest(p_keys, p_hashes, p_made) as x(key, hash, made)
    where c.company_id = p_company and x.key is not null and x.made is not null
    order by x.key
    on conflict (company_id, key) do nothing
    returning k.key
  )
  select count(*) into v_kept from kept;
  if v_kept < (select count(*) from unnest(p_keys, p_made) as x(key, made) where x.key is not null and x.made is not null) then
    raise exception 'a key of company % was used meanwhile', p_company using errcode = '40001';
  end if;
end
$$;
