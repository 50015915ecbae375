-- Accepts transfers: the only way money is reserved, for one request, for many that came together, and for a batch
-- (all or nothing). It commits by itself. Rows are judged in their order, so a set answers as if they had come one
-- by one; the caller sees to it that references and keys are different within one set.
--
-- What was made: the row at place n has the id ordered_id(ms, base + n, p_nonce), a batch has place 0. What was not
-- made is in places, with its problem and, where there is one, the id of what was there before. A batch that needs
-- more than there is (CA402), whose references are used (CA409), or that goes to too many numbers that are nobody's
-- (CA429), is refused as a whole, by an error that takes everything back.
--
-- A transfer to a number that is nobody's costs its sender nothing, and stays in the books for ever. So a company may send
-- p_unknown_max of them a day; null: any number. Numbers in p_known count as somebody's.
--
-- p_prices are the numbers of the prices that the rows were judged by: one for each, or one for a whole batch. What was
-- judged by another price than the one that holds now is refused, so that its caller can judge it again.
--
-- What is more than a company's keys may pay out without a person is accepted and held (hold_back), unless p_is_approved says that a
-- person stands behind it.
create or replace function submit_transfers(
  p_company uuid,
  p_is_batch boolean,
  p_batch_sub_company uuid,
  p_nonce bigint,
  p_references text[],
  p_msisdns text[],
  p_amounts bigint[],
  p_fees bigint[],
  p_descriptions text[],   -- these four may be null as a whole: no row has one
  p_metadata text[],
  p_sub_companies uuid[],
  p_keys text[],
  p_key_hashes bytea[],
  p_unknown_max integer default null,
  p_known text[] default '{}',
  p_prices integer[] default null,
  p_is_approved boolean default false,
  out ms bigint,
  out base integer,
  out places integer[],
  out problems text[],
  out existing uuid[]
)
language plpgsql
as $$
declare
  v_count integer := cardinality(p_references);
  v_text text := array_to_string(p_references, '');
  v_references text[] := p_references;  -- in the form in which they are compared
  v_given text[];                       -- as they were written, where that is something else; null: nowhere
  v_earlier uuid[];
  v_books books;  -- as they were read
  v_made books;   -- and what became of them
  v_problems text[];
  v_before text[];
  v_existing uuid[];
  v_total bigint;
  v_left bigint;
  v_ids uuid[];    -- of those that are made; until the rows are in, null in the place of each that has a problem
  v_queue uuid[];  -- of them, those that nobody has to let go
  v_amounts bigint[];
  v_facts text[];
  v_batch uuid;
  v_unknown integer[] := '{}';
  v_unknown_left integer;
  v_place integer;
begin
  -- Before the lock, because it takes as long as the set is large. What has as many bytes as characters is the same in every form.
  if octet_length(v_text) > char_length(v_text) then
    select array_agg(x.key order by x.place), array_agg(nullif(x.reference, x.key) order by x.place)
    into v_references, v_given
    from (
      select i.place, i.reference, normalize(i.reference, nfc) as key
      from unnest(p_references) with ordinality as i(reference, place)
    ) as x;
  end if;
  if p_unknown_max is not null then
    v_unknown := unknown_numbers(p_msisdns, p_known);
  end if;
  -- The company's lock. Everything below sees what earlier holders committed, and is seen before what later ones write.
  select * into v_books from books b where b.company_id = p_company for update;
  if not found then
    raise exception 'company % has no books', p_company using errcode = 'CA404';
  end if;
  if v_books.is_frozen then
    raise exception 'company % is frozen', p_company using errcode = 'CA403';
  end if;
  -- Not before what was posted last, whatever the clock does.
  ms := greatest(v_books.last_ms, (extract(epoch from greatest(v_books.posted_at, clock_timestamp())) * 1000)::bigint);
  base := case when ms = v_books.last_ms then v_books.last_count + 1 else 0 end;
  if p_is_batch then
    v_batch := ordered_id(ms, base, p_nonce);
  end if;

  if p_keys is not null then
    select v.problems, v.made into v_problems, v_existing from judge_keys(p_company, p_keys, p_key_hashes) as v;
    -- A batch carries its key on its first row: the first answer stands, whatever has changed since.
    if p_is_batch and v_problems[1] is not null then
      places := array[0];
      problems := v_problems[1:1];
      existing := v_existing[1:1];
      return;
    end if;
  end if;
  if p_prices is null and v_books.price > 1 then
    perform refuse_unpriced(p_company);
  end if;
  if v_books.price <> any (p_prices) then
    if p_is_batch then
      places := array[0];
      problems := array['price_changed'];
      return;
    end if;
    v_problems := judge_prices(v_books.price, p_prices, v_problems);
  end if;
  if p_sub_companies is not null or p_batch_sub_company is not null then
    v_problems := judge_sub_companies(p_company, coalesce(p_sub_companies, array_fill(null::uuid, array[v_count])),
      coalesce(v_problems, array_fill(null::text, array[v_count])));
    if p_is_batch then
      problems := judge_sub_companies(p_company, array[p_batch_sub_company], array[null::text]) || v_problems;
      if cardinality(array_remove(problems, null)) > 0 then
        select array_agg(x.place - 1), array_agg(x.problem) into places, problems
        from unnest(problems) with ordinality as x(problem, place) where x.problem is not null;
        return;
      end if;
      problems := null;
    end if;
  end if;

  -- Earlier releases have stored references in other forms. No more of them appear, so they can be looked for.
  if v_given is not null then
    v_earlier := earlier_references(p_company, p_references);
    if not p_is_batch and cardinality(array_remove(v_earlier, null)) > 0 then
      v_existing := array(
        select coalesce(x.existing, case when x.problem is null then x.earlier end)
        from unnest(v_existing, v_problems, v_earlier) with ordinality as x(existing, problem, earlier, place)
        order by x.place);
      v_problems := array(
        select coalesce(x.problem, case when x.earlier is not null then 'duplicate_reference' end)
        from unnest(v_problems, v_earlier) with ordinality as x(problem, earlier, place)
        order by x.place);
    end if;
  end if;

  if cardinality(v_unknown) > 0 then
    v_unknown_left := quota_left(p_company, 'unknown_recipients', p_unknown_max, interval '1 day');
    if cardinality(v_unknown) > v_unknown_left then
      if p_is_batch then
        raise exception 'company % sends to too many unknown numbers', p_company using errcode = 'CA429';
      end if;
      v_existing := used_references(p_company, v_references, v_problems, v_existing);
      v_problems := coalesce(v_problems, array_fill(null::text, array[v_count]));
      foreach v_place in array v_unknown loop
        if v_problems[v_place] is null and v_existing[v_place] is not null then
          v_problems[v_place] := 'duplicate_reference';
        elsif v_problems[v_place] is null and v_unknown_left > 0 then
          v_unknown_left := v_unknown_left - 1;
        elsif v_problems[v_place] is null then
          v_problems[v_place] := 'quota_exceeded';
        end if;
      end loop;
    end if;
  end if;

  -- Usually there is money for all of them, and nobody need be looked at one by one.
  select sum(x.amount + x.fee) into v_total from unnest(p_amounts, p_fees) as x(amount, fee);
  if v_total > v_books.available then
    if p_is_batch then
      raise exception 'the balance of company % is too low for %', p_company, v_total using errcode = 'CA402';
    end if;
    -- A row with a problem takes no money; what remains is served in order, each as far as the money goes.
    v_existing := used_references(p_company, v_references, v_problems, v_existing);
    v_problems := coalesce(v_problems, array_fill(null::text, array[v_count]));
    v_left := v_books.available;
    for i in 1 .. v_count loop
      if v_problems[i] is null and v_existing[i] is not null then
        v_problems[i] := 'duplicate_reference';
      elsif v_problems[i] is null and p_amounts[i] + p_fees[i] <= v_left then
        v_left := v_left - p_amounts[i] - p_fees[i];
      elsif v_problems[i] is null then
        v_problems[i] := 'insufficient_funds';
      end if;
    end loop;
  end if;

  if p_is_batch and cardinality(array_remove(v_earlier, null)) > 0 then
    raise exception 'references of a batch of company % are used', p_company using errcode = 'CA409';
  end if;
  if p_is_batch then
    insert into batches as b (company_id, id, sub_company_id, total_amount, total_fee, size, updated_at)
    select c.company_id, v_batch, p_batch_sub_company, sum(x.amount), sum(x.fee), v_count, to_timestamp(ms / 1000.0)
    from companies c, unnest(p_amounts, p_fees) as x(amount, fee)
    where c.company_id = p_company
    group by c.company_id;
  end if;

  -- Whether a reference is new is decided by its unique index and by nothing before it. Usually all of them are, so the
  -- rows are inserted as they are, which costs a sixth less than having each ask for a conflict. When one is refused, all
  -- of this is undone and done again without those that are used: their company's lock is held, so no more can appear.
  loop
    begin
      select array_agg(case when x.problem is null then ordered_id(ms, base + x.place::integer, p_nonce) end),
        array_agg(x.amount + x.fee) filter (where x.problem is null),
        array_agg(facts_text(x.fee, null, x.reference, null, x.msisdn, x.sub_company_id, v_batch, x.description, x.metadata))
          filter (where x.problem is null)
      into v_ids, v_amounts, v_facts
      from unnest(p_amounts, p_fees, p_references, p_msisdns, p_sub_companies, p_descriptions, p_metadata, v_problems)
        with ordinality as x(amount, fee, reference, msisdn, sub_company_id, description, metadata, problem, place);
      insert into transfers as t (
        company_id, id, batch_id, sub_company_id, amount, fee, msisdn, msisdn_has_plus, reference,
        reference_given, description, metadata)
      select c.company_id, x.id, v_batch, x.sub_company_id, x.amount, x.fee, ltrim(x.msisdn, '+'), x.msisdn like '+%',
        x.reference, x.given, x.description, x.metadata
      from companies c,
        unnest(v_ids, v_references, v_given, p_msisdns, p_amounts, p_fees, p_descriptions, p_metadata, p_sub_companies)
          as x(id, reference, given, msisdn, amount, fee, description, metadata, sub_company_id)
      where c.company_id = p_company and x.id is not null;
      exit;
    exception when unique_violation then
      if p_is_batch then
        raise exception 'references of a batch of company % are used', p_company using errcode = 'CA409';
      end if;
      v_existing := used_references(p_company, v_references, v_problems, v_existing);
      v_before := v_problems;
      v_problems := array(
        select coalesce(x.problem, case when x.existing is not null then 'duplicate_reference' end)
        from unnest(v_references, v_problems, v_existing) with ordinality as x(reference, problem, existing, place)
        order by x.place);
      -- Something else was not new, which doing it again would not change.
      if v_problems is not distinct from v_before then
        raise;
      end if;
    end;
  end loop;
  if v_problems is not null then
    select array_agg(x.place), array_agg(x.problem), array_agg(x.existing) into places, problems, existing
    from unnest(v_problems, v_existing) with ordinality as x(problem, existing, place) where x.problem is not null;
    v_ids := array_remove(v_ids, null);
  end if;
  if cardinality(v_ids) = 0 then
    return;
  end if;

  -- In the order of the key, so that two sets that share keys wait for each other and never deadlock.
  if p_keys is not null then
    perform keep_keys(p_company, p_keys, p_key_hashes, array(
      select case when x.problem is null then coalesce(v_batch, ordered_id(ms, base + x.place::integer, p_nonce)) end
      from unnest(p_keys, v_problems) with ordinality as x(key, problem, place)
      order by x.place));
  end if;
  if cardinality(v_unknown) > 0 then
    perform spend_quota(p_company, 'unknown_recipients', (
      select count(*)::integer from unnest(v_unknown) as x(place)
      where ordered_id(ms, base + x.place, p_nonce) = any (v_ids)), p_unknown_max, interval '1 day');
  end if;
  v_queue := v_ids;
  if v_books.keys_alone_max is not null and not p_is_approved then
    v_queue := hold_back(p_company, v_books.keys_alone_max, ms, p_is_batch, v_ids, v_amounts);
  end if;
  insert into pending_transfers as q (company_id, id)
  select c.company_id, x.id from companies c, unnest(v_queue) as x(id) where c.company_id = p_company;
  v_books.posted_at := greatest(v_books.posted_at, to_timestamp(ms / 1000.0));
  v_made := add_events(v_books, 'transactions/started', v_ids);
  v_made := add_postings(v_made, 'transfer.reserved', 'available', 'in_flight', v_ids, v_amounts, v_facts);
  v_made.last_ms := ms;
  v_made.last_count := base + v_count;
  perform keep_books(v_books, v_made);
end
$$;
