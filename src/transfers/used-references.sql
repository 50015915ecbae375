-- The transfers that have these references, place by place; places that have a problem already keep what they say.
-- Planned anew each time, which a refusal can afford: a plan that was kept from when the table was small could read
-- the whole company.
create or replace function used_references(p_company uuid, p_references text[], p_problems text[], p_existing uuid[]) returns uuid[]
language plpgsql
as $$
declare
  v_used uuid[];
begin
  execute '
    select array_agg(coalesce(x.existing, t.id) order by x.place)
    from unnest($2, $3, $4) with ordinality as x(reference, problem, existing, place)
    left join lateral (
      select i.id from transfers i
      where i.company_id = $1 and i.reference = x.reference and i.reference <> '''' and x.problem is null limit 1
    ) as t on true'
  into v_used using p_company, p_references, p_problems, p_existing;
  return v_used;
end
$$;

-- The transfers that earlier releases have stored with these references in a form that is not NFC, place by place.
create or replace function earlier_references(p_company uuid, p_references text[]) returns uuid[]
language plpgsql
as $$
declare
  v_used uuid[];
begin
  execute '
    select array_agg(t.id order by x.place)
    from unnest($2) with ordinality as x(reference, place)
    left join lateral (
      select i.id from transfers i
      where i.company_id = $1 and i.reference = any (array[x.reference, normalize(x.reference, nfd)]) and i.reference <> ''''
        and i.reference <> normalize(x.reference, nfc)
      limit 1
    ) as t on true'
  into v_used using p_company, p_references;
  return v_used;
end
$$;
