-- Writes down what happened, numbered without gaps, in the transaction that made it happen. Payloads are null where
-- what receivers read is in the books for good. Nobody is woken here: that is a hint, sent after the commit.
create or replace function publish_events(p_company uuid, p_topic topic, p_subjects uuid[], p_payloads text[] default null)
returns void
language plpgsql
as $$
declare
  v_books books;  -- as they were read
  v_made books;   -- and what became of them
begin
  if coalesce(cardinality(p_subjects), 0) = 0 then
    return;
  end if;
  select * into v_books from books b where b.company_id = p_company for update;
  v_made := v_books;
  v_made.posted_at := greatest(v_books.posted_at, date_trunc('milliseconds', clock_timestamp()));
  v_made := add_events(v_made, p_topic, p_subjects, p_payloads);
  -- It was now, which says nothing about postings.
  v_made.posted_at := v_books.posted_at;
  perform keep_books(v_books, v_made);
end
$$;

-- The same of what happened at p_at, but not before what was posted last: answers the time that the events bear, which is for the
-- caller to write down too. Nothing that comes later is dated before it.
create or replace function publish_events_at(
  p_company uuid, p_topic topic, p_subjects uuid[], p_payloads text[], p_at timestamptz
) returns timestamptz
language plpgsql
as $$
declare
  v_books books;  -- as they were read
  v_made books;   -- and what became of them
begin
  if coalesce(cardinality(p_subjects), 0) = 0 then
    return p_at;
  end if;
  select * into v_books from books b where b.company_id = p_company for update;
  v_books.posted_at := greatest(v_books.posted_at, p_at);
  v_made := add_events(v_books, p_topic, p_subjects, p_payloads);
  perform keep_books(v_books, v_made);
  return v_made.posted_at;
end
$$;

-- The same for whoever has read the books under their lock, and ends with keep_books: see add_postings. Events bear the time that its
-- caller has put into the books, which is that of the postings they tell of.
create or replace function add_events(inout p_books books, p_topic topic, p_subjects uuid[], p_payloads text[] default null)
language plpgsql
as $$
declare
  v_at timestamptz := p_books.posted_at;
  v_count integer := coalesce(cardinality(p_subjects), 0);
begin
  if v_count between 1 and 64 then
    -- One run is one row, which costs less to write than a set, and on a cluster far less: there a set is planned anew each time.
    insert into event_runs as r (company_id, last_number, topic, created_at, subject_ids, payloads)
    values (p_books.company_id, p_books.last_event + v_count, p_topic, v_at, p_subjects, p_payloads);
  else
    insert into event_runs as r (company_id, last_number, topic, created_at, subject_ids, payloads)
    select c.company_id, p_books.last_event + least(x.first + 63, v_count), p_topic, v_at,
      p_subjects[x.first : x.first + 63], p_payloads[x.first : x.first + 63]
    from companies c, generate_series(1, v_count, 64) as x(first)
    where c.company_id = p_books.company_id;
  end if;
  p_books.last_event := p_books.last_event + v_count;
end
$$;
