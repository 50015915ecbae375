-- Writes down what happened, numbered without gaps, in the transaction that made it happen. Payloads are null where
-- what receivers read is in the books for good. Nobody is woken here: that is a hint, sent after the commit.
create or replace function publish_events(p_company uuid, p_topic topic, p_subjects uuid[], p_payloads text[] default null)
returns void
language plpgsql
as $$
declare
  v_books books;
begin
  if coalesce(cardinality(p_subjects), 0) = 0 then
    return;
  end if;
  select * into v_books from books b where b.company_id = p_company for update;
  perform keep_books(v_books, add_events(v_books, p_topic, p_subjects, p_payloads));
end
$$;

-- The same for whoever has read the books under their lock, and ends with keep_books: see add_postings.
create or replace function add_events(inout p_books books, p_topic topic, p_subjects uuid[], p_payloads text[] default null)
language plpgsql
as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  insert into events as e (company_id, number, topic, subject_id, payload, created_at)
  select c.company_id, p_books.last_event + x.place, p_topic, x.subject_id, x.payload, v_at
  from companies c, unnest(p_subjects, p_payloads) with ordinality as x(subject_id, payload, place)
  where c.company_id = p_books.company_id;
  p_books.last_event := p_books.last_event + coalesce(cardinality(p_subjects), 0);
end
$$;
