-- Counts one message in every budget that it belongs to, or in none. Answers how far each budget is used with it, or
-- the one that has no room left and for how long. The subjects come in one order everywhere, the most shared ones last:
-- no two messages wait for each other in a circle, and what all companies share is locked from here to the commit only.
-- Every maximum is at least one.
create or replace function spend_messages(p_subjects text[], p_hour_max integer[], p_day_max integer[])
returns table (place integer, hour_count integer, day_count integer, refused_span text, retry_seconds integer)
language plpgsql
as $$
#variable_conflict use_column
declare
  v_now timestamptz := clock_timestamp();
  v_hour timestamptz := date_trunc('hour', v_now, 'UTC');
  v_day timestamptz := date_trunc('day', v_now, 'UTC');
  v_place integer;
  v_row record;
  v_hours integer[] := '{}';
  v_days integer[] := '{}';
begin
  begin
    for v_next in 1 .. cardinality(p_subjects) loop
      v_place := v_next;
      -- Whoever had the row before may have counted in a later hour than this call began in: that hour is the one.
      insert into message_counts as c (subject, hour, hour_count, day, day_count)
      values (p_subjects[v_place], v_hour, 1, v_day, 1)
      on conflict (subject) do update set
        hour = greatest(c.hour, excluded.hour),
        hour_count = case when c.hour >= excluded.hour then c.hour_count + 1 else 1 end,
        day = greatest(c.day, excluded.day),
        day_count = case when c.day >= excluded.day then c.day_count + 1 else 1 end
      where (c.hour < excluded.hour or c.hour_count < p_hour_max[v_place])
        and (c.day < excluded.day or c.day_count < p_day_max[v_place])
      returning c.hour_count, c.day_count into v_row;
      if not found then
        raise exception 'a budget of messages is spent' using errcode = 'CA429';
      end if;
      v_hours := v_hours || v_row.hour_count;
      v_days := v_days || v_row.day_count;
    end loop;
  exception when sqlstate 'CA429' then
    return query
      select v_place, c.hour_count, c.day_count, case when s.is_day then 'day' else 'hour' end,
        greatest(1, ceil(extract(epoch from s.ends_at - v_now))::integer)
      from message_counts c
      cross join lateral (
        select c.day_count >= p_day_max[v_place] and c.day >= v_day) as d(is_day)
      cross join lateral (
        select d.is_day, case when d.is_day then c.day + interval '1 day' else c.hour + interval '1 hour' end
      ) as s(is_day, ends_at)
      where c.subject = p_subjects[v_place];
    return;
  end;
  return query
    select x.place::integer, x.hour_count, x.day_count, null::text, null::integer
    from unnest(v_hours, v_days) with ordinality as x(hour_count, day_count, place);
end
$$;
