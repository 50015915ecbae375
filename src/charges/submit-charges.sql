-- Creates charges, for one request or for many that came together. It commits by itself. No money moves, so it takes
-- the lock of the company's list of charges and not of its books: it neither waits for transfers nor holds them up.
-- Rows are judged in their order; the caller sees to it that external ids and keys are different within one set.
--
-- What was made: the row at place n has the id ordered_id(ms, base + n, p_nonce). What was not made is in places, with its
-- problem and, where there is one, the id of what was there before. p_prices: see submit_transfers.
create or replace function submit_charges(
  p_company uuid,
  p_lifetime interval,
  p_nonce bigint,
  p_external_ids text[],
  p_descriptions text[],
  p_amounts bigint[],
  p_fees bigint[],
  p_fee_rates integer[],
  p_metadata text[],       -- these four may be null as a whole: no row has one
  p_sub_companies uuid[],
  p_keys text[],
  p_key_hashes bytea[],
  p_canceled_urls text[],
  p_completed_urls text[],
  p_prices integer[] default null,
  out ms bigint,
  out base integer,
  out places integer[],
  out problems text[],
  out existing uuid[]
)
language plpgsql
as $$
declare
  v_count integer := cardinality(p_external_ids);
  v_text text := array_to_string(p_external_ids, '');
  v_external_ids text[] := p_external_ids;  -- in the form in which they are compared
  v_given text[];                           -- as they were written, where that is something else; null: nowhere
  v_earlier uuid[];
  v_created timestamptz;
  v_problems text[];
  v_existing uuid[];
  v_ids uuid[];
  v_is_frozen boolean;
  v_price integer;
begin
  -- As for references: see submit_transfers.
  if octet_length(v_text) > char_length(v_text) then
    select array_agg(x.key order by x.place), array_agg(nullif(x.external_id, x.key) order by x.place)
    into v_external_ids, v_given
    from (
      select i.place, i.external_id, normalize(i.external_id, nfc) as key
      from unnest(p_external_ids) with ordinality as i(external_id, place)
    ) as x;
  end if;
  -- Everything below sees what earlier holders of the lock committed.
  select p.ms, p.base into ms, base from take_places(p_company, 'charges', v_count) as p;
  v_created := to_timestamp(ms / 1000.0);
  -- Whoever freezes a company or changes its price takes the lock of this list too.
  select b.is_frozen, b.price into v_is_frozen, v_price from books b where b.company_id = p_company;
  if v_is_frozen then
    raise exception 'company % is frozen', p_company using errcode = 'CA403';
  end if;
  if p_prices is null and v_price > 1 then
    perform refuse_unpriced(p_company);
  end if;

  if p_keys is not null then
    select v.problems, v.made into v_problems, v_existing from judge_keys(p_company, p_keys, p_key_hashes) as v;
  end if;
  if v_price <> any (p_prices) then
    v_problems := judge_prices(v_price, p_prices, v_problems);
  end if;
  if p_sub_companies is not null then
    v_problems := judge_sub_companies(p_company, p_sub_companies, coalesce(v_problems, array_fill(null::text, array[v_count])));
  end if;

  if v_given is not null then
    v_earlier := earlier_external_ids(p_company, p_external_ids);
    if cardinality(array_remove(v_earlier, null)) > 0 then
      v_existing := array(
        select coalesce(x.existing, case when x.problem is null then x.earlier end)
        from unnest(v_existing, v_problems, v_earlier) with ordinality as x(existing, problem, earlier, place)
        order by x.place);
      v_problems := array(
        select coalesce(x.problem, case when x.earlier is not null then 'duplicate_external_id' end)
        from unnest(v_problems, v_earlier) with ordinality as x(problem, earlier, place)
        order by x.place);
    end if;
  end if;

  -- Whether an external id is new is decided by its unique index and by nothing before it.
  with made as (
    insert into charges as t (
      company_id, id, external_id, external_id_given, description, amount, fee, fee_rate_ppm, metadata, sub_company_id,
      on_canceled_redirection_url, on_completed_redirection_url, created_at, updated_at, expires_at)
    select c.company_id, ordered_id(ms, base + x.place::integer, p_nonce), x.external_id, x.given, x.description, x.amount, x.fee,
      x.fee_rate, x.metadata, x.sub_company_id, x.canceled_url, x.completed_url, v_created, v_created,
      v_created + p_lifetime
    from companies c,
      unnest(v_external_ids, v_given, p_descriptions, p_amounts, p_fees, p_fee_rates, p_metadata, p_sub_companies,
        p_canceled_urls, p_completed_urls, v_problems)
        with ordinality
        as x(external_id, given, description, amount, fee, fee_rate, metadata, sub_company_id, canceled_url, completed_url,
          problem, place)
    where c.company_id = p_company and x.problem is null
    on conflict (company_id, external_id) where external_id <> '' do nothing
    returning t.id
  )
  select array_agg(m.id) into v_ids from made m;

  if coalesce(cardinality(v_ids), 0) < v_count - coalesce(cardinality(array_remove(v_problems, null)), 0) then
    v_existing := used_external_ids(p_company, v_external_ids, v_problems, v_existing);
    v_problems := array(
      select coalesce(x.problem,
        case when ordered_id(ms, base + x.place::integer, p_nonce) <> all (coalesce(v_ids, '{}')) then 'duplicate_external_id' end)
      from unnest(v_external_ids, v_problems) with ordinality as x(external_id, problem, place)
      order by x.place);
  end if;
  if v_problems is not null then
    select array_agg(x.place), array_agg(x.problem), array_agg(x.existing) into places, problems, existing
    from unnest(v_problems, v_existing) with ordinality as x(problem, existing, place) where x.problem is not null;
  end if;
  if v_ids is null then
    return;
  end if;
  if p_keys is not null then
    perform keep_keys(p_company, p_keys, p_key_hashes, array(
      select case when x.problem is null then ordered_id(ms, base + x.place::integer, p_nonce) end
      from unnest(p_keys, v_problems) with ordinality as x(key, problem, place)
      order by x.place));
  end if;
  perform mark_charge_work(p_company, v_created + p_lifetime);
end
$$;

-- The charges that have these external ids, place by place; places that have a problem already keep what they say.
-- Planned anew each time: see used_references.
create or replace function used_external_ids(p_company uuid, p_external_ids text[], p_problems text[], p_existing uuid[]) returns uuid[]
language plpgsql
as $$
declare
  v_used uuid[];
begin
  execute '
    select array_agg(coalesce(x.existing, t.id) order by x.place)
    from unnest($2, $3, $4) with ordinality as x(external_id, problem, existing, place)
    left join lateral (
      select i.id from charges i
      where i.company_id = $1 and i.external_id = x.external_id and i.external_id <> '''' and x.problem is null limit 1
    ) as t on true'
  into v_used using p_company, p_external_ids, p_problems, p_existing;
  return v_used;
end
$$;

-- The charges that earlier releases have stored with these external ids in a form that is not NFC, place by place.
create or replace function earlier_external_ids(p_company uuid, p_external_ids text[]) returns uuid[]
language plpgsql
as $$
declare
  v_used uuid[];
begin
  execute '
    select array_agg(t.id order by x.place)
    from unnest($2) with ordinality as x(external_id, place)
    left join lateral (
      select i.id from charges i
      where i.company_id = $1 and i.external_id = any (array[x.external_id, normalize(x.external_id, nfd)])
        and i.external_id <> '''' and i.external_id <> normalize(x.external_id, nfc)
      limit 1
    ) as t on true'
  into v_used using p_company, p_external_ids;
  return v_used;
end
$$;

-- The company has charges that expire from this moment on. The row is locked even when an earlier moment stands there
-- already: whoever gives the company back waits for that lock, and then sees what was added.
create or replace function mark_charge_work(p_company uuid, p_ready_at timestamptz) returns void
language plpgsql
as $$
begin
  insert into work as w (company_id, queue, ready_at) values (p_company, 'charges', p_ready_at)
  on conflict (company_id, queue) do update set ready_at = excluded.ready_at
  where w.ready_at > excluded.ready_at;
end
$$;
