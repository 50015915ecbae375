-- Spends p_count of what a company may do in a window of time, or nothing if that is more than what is left of p_max.
-- Answers in how many seconds the window ends; null: it was spent. The first one after the end begins a new window.
-- Counted in the transaction of what it is for: all nodes agree, and what is rolled back was not spent.
create or replace function spend_quota(
  p_company uuid, p_name text, p_count integer, p_max integer, p_window interval
) returns double precision
language plpgsql
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_quota quotas;
begin
  insert into quotas as q (company_id, name, since, spent)
  select c.company_id, p_name, v_now, 0 from companies c where c.company_id = p_company
  on conflict (company_id, name) do nothing;
  select * into v_quota from quotas q where q.company_id = p_company and q.name = p_name for update;
  if v_quota.since <= v_now - p_window then
    v_quota.since := v_now;
    v_quota.spent := 0;
  end if;
  if v_quota.spent + p_count > p_max then
    return extract(epoch from v_quota.since + p_window - v_now);
  end if;
  update quotas as q set since = v_quota.since, spent = v_quota.spent + p_count
  where q.company_id = p_company and q.name = p_name;
  return null;
end
$$;

-- How much is left of it.
create or replace function quota_left(p_company uuid, p_name text, p_max integer, p_window interval) returns integer
language plpgsql
as $$
declare
  v_spent integer;
begin
  select q.spent into v_spent from quotas q
  where q.company_id = p_company and q.name = p_name and q.since > clock_timestamp() - p_window;
  return p_max - coalesce(v_spent, 0);
end
$$;
