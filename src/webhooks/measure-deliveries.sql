-- What a company has written down and not finished, counted up to p_max for each endpoint.
create or replace function count_unfinished(p_company uuid, p_max integer)
returns table (status delivery_status, count bigint, age_seconds double precision)
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
begin
  return query
    select d.status, count(*), extract(epoch from now() - min(d.created_at))::float8
    from endpoints n
    cross join lateral (
      select i.status, i.created_at from deliveries i
      where i.company_id = p_company and i.endpoint_id = n.id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.subject_id, i.event_number, i.webhook_id limit p_max
    ) as d
    where n.company_id = p_company
    group by d.status;
end
$$;

-- The same for each webhook of the company.
create or replace function count_waiting(p_company uuid, p_max integer) returns table (webhook_id uuid, count bigint)
language plpgsql
set enable_sort = off -- See busy_endpoints.
as $$
begin
  return query
    select d.webhook_id, count(*)
    from endpoints n
    cross join lateral (
      select i.webhook_id from deliveries i
      where i.company_id = p_company and i.endpoint_id = n.id
        and i.status in ('pending', 'blocked') and i.event_number > 0
      order by i.subject_id, i.event_number, i.webhook_id limit p_max
    ) as d
    where n.company_id = p_company
    group by d.webhook_id;
end
$$;
