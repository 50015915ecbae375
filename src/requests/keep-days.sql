-- Makes the tables of today and of the p_ahead days after it, those that are missing; answers how many. Days are those of UTC.
-- Somebody else who is at it is not waited for, and nobody longer than p_wait_ms (55P03).
--
-- A day of which something is in the default table already cannot be made any more: it stays there until it is forgotten.
create or replace function make_request_days(p_ahead integer, p_wait_ms integer) returns integer
language plpgsql
-- As the owner of the tables: the role of the service may neither make nor drop one.
security definer set search_path = public, pg_temp
as $$
declare
  v_today timestamp := date_trunc('day', now() at time zone 'UTC');
  v_day timestamp;
  v_made integer := 0;
begin
  insert into turns as t (subject, turned_at) values ('request_log', now()) on conflict (subject) do nothing;
  perform 1 from turns t where t.subject = 'request_log' for update skip locked;
  if not found then
    return 0;
  end if;
  perform set_config('lock_timeout', p_wait_ms::text, true);
  for v_day in select generate_series(v_today, v_today + p_ahead * interval '1 day', interval '1 day') loop
    continue when to_regclass(to_char(v_day, '"public.request_log_"YYYY_MM_DD')) is not null;
    continue when exists (
      select 1 from request_log_default d
      where d.at >= v_day at time zone 'UTC' and d.at < (v_day + interval '1 day') at time zone 'UTC');
    execute format('create table %I partition of request_log for values from (%L) to (%L)',
      to_char(v_day, '"request_log_"YYYY_MM_DD'), v_day at time zone 'UTC', (v_day + interval '1 day') at time zone 'UTC');
    v_made := v_made + 1;
  end loop;
  update turns as t set turned_at = now() where t.subject = 'request_log' and v_made > 0;
  return v_made;
end
$$;

-- Drops the oldest day that ended p_age ago, whole. Answers its name; null: there is none, or somebody else is at it. What is in
-- the default table, because its day was missing when it came, is deleted company by company (deleteStrayRequests).
create or replace function forget_request_day(p_age interval, p_wait_ms integer) returns text
language plpgsql
-- As the owner of the tables: the role of the service may neither make nor drop one.
security definer set search_path = public, pg_temp
as $$
declare
  v_day text;
begin
  perform 1 from turns t where t.subject = 'request_log' for update skip locked;
  if not found then
    return null;
  end if;
  perform set_config('lock_timeout', p_wait_ms::text, true);
  select min(substr(c.relname, 13)) into v_day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.request_log'::regclass and c.relname ~ '^request_log_[0-9]{4}_[0-9]{2}_[0-9]{2}$';
  if v_day is null or to_timestamp(v_day, 'YYYY_MM_DD')::timestamp + interval '1 day' > (now() - p_age) at time zone 'UTC' then
    return null;
  end if;
  execute format('drop table %I', 'request_log_' || v_day);
  update turns as t set turned_at = now() where t.subject = 'request_log';
  return v_day;
end
$$;
