-- A UUID of version 7: 48 bits of time, a count of 26 bits behind it, and at the end the nonce of whoever asked,
-- counted up, so that also the last digits of two ids made together differ. Given the same time, a higher count
-- is a higher id. src/kernel/ids.ts makes the same.
create or replace function ordered_id(p_ms bigint, p_count integer, p_nonce bigint) returns uuid
language sql immutable
as $$
  select (
    lpad(to_hex(p_ms), 12, '0')
    || to_hex(1879080960::bigint + ((p_count >> 14) << 16) + (p_count & 16383))
    || lpad(to_hex((p_nonce + p_count) & 281474976710655), 12, '0'))::uuid;
$$;

create or replace function time_of_id(p_id uuid) returns timestamptz
language sql immutable
as $$
  select to_timestamp(('x' || translate(left(p_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);
$$;

-- Takes the next p_count places at the end of a company's list, and the lock of that list until the commit: the
-- time and the count before the first of them. The time never goes back, whatever the clock does.
create or replace function take_places(p_company uuid, p_list text, p_count integer, out ms bigint, out base integer)
language plpgsql
as $$
declare
  v_now bigint := extract(epoch from clock_timestamp()) * 1000;
begin
  insert into list_ends as l (company_id, list, last_ms, last_count) values (p_company, p_list, v_now, p_count)
  on conflict (company_id, list) do update set
    last_count = p_count + case when excluded.last_ms > l.last_ms then 0 else l.last_count end,
    last_ms = greatest(l.last_ms, excluded.last_ms)
  returning l.last_ms, l.last_count - p_count into ms, base;
end
$$;
