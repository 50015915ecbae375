-- When the oldest month began that deliveries are kept of; null: there is none.
create or replace function first_delivery_month() returns timestamptz
language sql stable
as $$
  select min(to_timestamp(substr(c.relname, 12), 'YYYY_MM')::timestamp at time zone 'UTC')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.deliveries'::regclass and c.relname ~ '^deliveries_[0-9]{4}_[0-9]{2}$';
$$;

-- Makes the tables of this month and of the p_ahead months after it, those that are missing; answers how many. Somebody
-- else who is at it is not waited for, and nobody longer than p_wait_ms (55P03).
--
-- A month of which something is in the default table already cannot be made any more: it stays there, and is deleted row by
-- row. So the present month is tried only while that one is empty.
create or replace function make_delivery_months(p_ahead integer, p_wait_ms integer) returns integer
language plpgsql
-- As the owner of the tables: the role of the service may neither make nor drop one.
security definer set search_path = public, pg_temp
as $$
declare
  v_this timestamp := date_trunc('month', now() at time zone 'UTC');
  v_month timestamp;
  v_table text;
  v_made integer := 0;
begin
  insert into turns as t (subject, turned_at) values ('deliveries', now()) on conflict (subject) do nothing;
  perform 1 from turns t where t.subject = 'deliveries' for update skip locked;
  if not found then
    return 0;
  end if;
  perform set_config('lock_timeout', p_wait_ms::text, true);
  for v_month in select generate_series(v_this, v_this + p_ahead * interval '1 month', interval '1 month') loop
    continue when to_regclass(to_char(v_month, '"public.deliveries_"YYYY_MM')) is not null;
    continue when v_month = v_this
      and (exists (select 1 from deliveries_default d) or exists (select 1 from attempts_default a));
    foreach v_table in array array['deliveries', 'attempts'] loop
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        v_table || to_char(v_month, '"_"YYYY_MM'), v_table,
        v_month at time zone 'UTC', (v_month + interval '1 month') at time zone 'UTC');
    end loop;
    v_made := v_made + 1;
  end loop;
  update turns as t set turned_at = now() where t.subject = 'deliveries' and v_made > 0;
  return v_made;
end
$$;

-- Forgets the oldest month of deliveries and attempts whole, if it ended p_age ago and the five days in which a delivery is
-- usually over. Answers its name; null: there was none, or somebody else is at it. Nobody is waited for longer than p_wait_ms
-- (55P03), because all notifications would queue up behind.
--
-- What is not finished, or was repeated and finished less than p_age ago, goes on in the default table. It is found through
-- the indexes of just those rows. If they are more than p_carried_max the month stays, so that the lock is short; but
-- not for longer than p_patience after its end.
create or replace function forget_delivery_month(
  p_age interval, p_carried_max integer, p_patience interval, p_wait_ms integer
) returns text
language plpgsql
-- As the owner of the tables: the role of the service may neither make nor drop one.
security definer set search_path = public, pg_temp
as $$
declare
  v_month text;
  v_ended_at timestamptz;
  v_count integer;
begin
  perform 1 from turns t where t.subject = 'deliveries' for update skip locked;
  if not found then
    return null;
  end if;
  v_month := to_char(first_delivery_month() at time zone 'UTC', 'YYYY_MM');
  v_ended_at := (first_delivery_month() at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  if v_month is null or v_ended_at > now() - p_age - interval '5 days' then
    return null;
  end if;
  execute format('
    select count(*) from (
      (select 1 from %1$I d where d.status in (''pending'', ''blocked'') and d.event_number > 0 limit $1)
      union all
      (select 1 from %1$I d where d.updated_at - d.created_at > interval ''5 days'' and d.updated_at >= now() - $2 limit $1)
    ) as n', 'deliveries_' || v_month) into v_count using p_carried_max + 1, p_age;
  if v_count > p_carried_max and v_ended_at > now() - p_patience then
    return null;
  end if;

  perform set_config('lock_timeout', p_wait_ms::text, true);
  execute format('alter table deliveries detach partition %I', 'deliveries_' || v_month);
  execute format('alter table attempts detach partition %I', 'attempts_' || v_month);
  -- Their month is no more, so these go into the default tables.
  execute format('
    insert into deliveries
    select d.* from %1$I d where d.status in (''pending'', ''blocked'') and d.event_number > 0
    union all
    select d.* from %1$I d
    where d.updated_at - d.created_at > interval ''5 days'' and d.updated_at >= now() - $1
      and d.status not in (''pending'', ''blocked'')', 'deliveries_' || v_month) using p_age;
  execute format('
    insert into attempts
    select a.* from deliveries_default d
    join %I a on a.company_id = d.company_id and a.webhook_id = d.webhook_id and a.event_number = d.event_number
    where d.company_id is not null', 'attempts_' || v_month);
  execute format('drop table %I, %I', 'deliveries_' || v_month, 'attempts_' || v_month);
  update turns as t set turned_at = now() where t.subject = 'deliveries';
  return v_month;
end
$$;
