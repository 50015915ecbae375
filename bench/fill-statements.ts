/**
 * References are as callers make them up at random: neighbours in time are far apart in the index. No two are the same,
 * because the factor is odd; up to a hundred million, no product is too large for a bigint.
 */
const scattering = 42_468_362_449;
const scatteredOver = 2 ** 36;

/** The same as fill_reference. */
export function scatteredReference(number: number): string {
  const place = (BigInt(number) * BigInt(scattering)) % BigInt(scatteredOver);
  return `filled-${place.toString(16).padStart(10, "0")}`;
}

/** What the company was funded with is posted again, before everything else. */
export const beginAgain = `
  with emptied as (
    delete from postings where company_id = $1
  ), former as (
    delete from event_runs where company_id = $1
  )
  update books set available = 0, in_flight = 0, fees = 0, external = 0, paid_out = 0, last_posting = 0, last_event = 0,
    chain = null, chained_after = null, posted_at = '-infinity'
  where company_id = $1`;

/** A table each. Parameters: company, begin, first and last set, size of a set, milliseconds between sets, people. */
export const fillings = [
  "fill_postings",
  "fill_transfers",
  "fill_wallet_entries",
  "fill_outcomes",
].map((name) => `select ${name}($1, $2, $3, $4, $5, $6, $7)`);

export const fillFunctions = `
  create or replace function fill_time(p_begin timestamptz, p_set integer, p_apart_ms double precision) returns timestamptz
  language sql immutable as $$
    select date_trunc('milliseconds', p_begin + (p_set * p_apart_ms + 1000) * interval '1 millisecond')
  $$;

  -- What the ids of one moment begin with.
  create or replace function fill_moment(p_at timestamptz) returns text
  language sql immutable as $$ select lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') $$;

  -- Ordered by time and place, like the service's own.
  create or replace function fill_id(p_moment text, p_set integer, p_place integer) returns uuid
  language sql immutable as $$
    select (p_moment || to_hex(1879080960 + p_place) || lpad(to_hex((p_set::bigint * 7919 + p_place) * 131071 & 281474976710655), 12, '0'))::uuid
  $$;

  create or replace function fill_msisdn(p_number bigint, p_people integer) returns text
  language sql immutable as $$ select '2250710' || lpad((p_number % p_people)::text, 6, '0') $$;

  create or replace function fill_reference(p_number bigint) returns text
  language sql immutable as $$
    select 'filled-' || lpad(to_hex(p_number * ${scattering} & ${scatteredOver - 1}), 10, '0')
  $$;

  create or replace function fill_amount(p_place integer) returns bigint
  language sql immutable as $$ select 5000 + (p_place % 100) * 100 $$;

  create or replace function fill_postings(
    p_company uuid, p_begin timestamptz, p_first integer, p_last integer, p_size integer, p_apart_ms double precision,
    p_people integer
  ) returns void language plpgsql as $$
  declare
    v_read books;
    v_books books;
    v_at timestamptz;
    v_moment text;
    v_ids uuid[];
    v_amounts bigint[];
    v_facts text[];
    v_funding record;
  begin
    select * into v_read from books b where b.company_id = p_company for update;
    v_books := v_read;
    if v_books.last_posting = 0 then
      select f.id, f.amount, facts_text(0, null, f.reference, null, null, null, null, f.memo, null) as facts
      into v_funding from fundings f where f.company_id = p_company;
      v_books.posted_at := date_trunc('milliseconds', p_begin);
      v_books := add_postings(v_books, 'company.funded', 'external', 'available', array[v_funding.id], array[v_funding.amount],
        array[v_funding.facts]);
    end if;
    for v_set in p_first .. p_last loop
      v_at := fill_time(p_begin, v_set, p_apart_ms);
      v_moment := fill_moment(v_at);
      select array_agg(fill_id(v_moment, v_set, n) order by n), array_agg(fill_amount(n) order by n),
        array_agg(facts_text(0, null, fill_reference(v_set::bigint * p_size + n), null,
          '+' || fill_msisdn(v_set::bigint * p_size + n, p_people), null, null, 'January salary', '{"employee":"117"}') order by n)
      into v_ids, v_amounts, v_facts from generate_series(1, p_size) as n;
      perform set_config('fill.now', v_at::text, true);
      v_books := fill_add_events(v_books, 'transactions/started', v_ids);
      v_books.posted_at := v_at;
      v_books := add_postings(v_books, 'transfer.reserved', 'available', 'in_flight', v_ids, v_amounts, v_facts);
      perform set_config('fill.now', (v_at + interval '1 second')::text, true);
      v_books := fill_add_events(v_books, 'transactions/completed', v_ids);
      v_books.posted_at := v_at + interval '1 second';
      v_books := add_postings(v_books, 'transfer.completed', 'in_flight', 'paid_out', v_ids, v_amounts, '{}');
    end loop;
    perform keep_books(v_read, v_books);
    update settling set settled_upto = v_ids[p_size] where company_id = p_company;
  end
  $$;

  create or replace function fill_transfers(
    p_company uuid, p_begin timestamptz, p_first integer, p_last integer, p_size integer, p_apart_ms double precision,
    p_people integer
  ) returns void language plpgsql as $$
  declare
    v_moment text;
  begin
    for v_set in p_first .. p_last loop
      v_moment := fill_moment(fill_time(p_begin, v_set, p_apart_ms));
      insert into transfers (company_id, id, amount, fee, msisdn, msisdn_has_plus, reference, description, metadata)
      select p_company, fill_id(v_moment, v_set, n), fill_amount(n), 0, fill_msisdn(v_set::bigint * p_size + n, p_people), true,
        fill_reference(v_set::bigint * p_size + n), 'January salary', '{"employee":"117"}'
      from generate_series(1, p_size) as n;
    end loop;
  end
  $$;

  create or replace function fill_outcomes(
    p_company uuid, p_begin timestamptz, p_first integer, p_last integer, p_size integer, p_apart_ms double precision,
    p_people integer
  ) returns void language plpgsql as $$
  declare
    v_at timestamptz;
    v_moment text;
  begin
    for v_set in p_first .. p_last loop
      v_at := fill_time(p_begin, v_set, p_apart_ms);
      v_moment := fill_moment(v_at);
      insert into outcomes (company_id, id, ended_at, status)
      select p_company, fill_id(v_moment, v_set, n), v_at + interval '1 second', 'completed' from generate_series(1, p_size) as n;
    end loop;
  end
  $$;

  create or replace function fill_wallet_entries(
    p_company uuid, p_begin timestamptz, p_first integer, p_last integer, p_size integer, p_apart_ms double precision,
    p_people integer
  ) returns void language plpgsql as $$
  declare
    v_at timestamptz;
    v_moment text;
    v_name text := (select c.name from companies c where c.company_id = p_company);
  begin
    for v_set in p_first .. p_last loop
      v_at := fill_time(p_begin, v_set, p_apart_ms);
      v_moment := fill_moment(v_at);
      insert into wallet_entries (msisdn, subject_id, event, amount, company_id, created_at, company_name, description)
      select fill_msisdn(v_set::bigint * p_size + n, p_people), fill_id(v_moment, v_set, n), 'transfer.completed', fill_amount(n),
        p_company, v_at + interval '1 second', v_name, 'January salary'
      from generate_series(1, p_size) as n;
    end loop;
  end
  $$`;

export const endFilling = `
  with held as (
    select msisdn, sum(amount) as amount from wallet_entries where company_id = $1 group by msisdn
  ), credited as (
    update wallets w set balance = w.balance + h.amount from held h where h.msisdn = w.msisdn
  ), funded as (
    update fundings set created_at = date_trunc('milliseconds', $2::timestamptz) where company_id = $1
  )
  update event_cursors set last_event = (select last_event from books where company_id = $1) where company_id = $1`;
