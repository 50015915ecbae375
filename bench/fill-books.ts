import pg from "pg";
import { extendTotals } from "../src/statements/totals.ts";
import type { Book } from "./postgres.ts";
import { customersMax } from "./requests.ts";

/**
 * Transfers that are accepted together, and settled together a second later: at most as many, and on each day some. A number
 * that divides nothing, so that days do not end where sums are kept.
 */
const setSizeMax = 997;
const setsPerCall = 10;
/** Over which the transfers are spread, up to an hour ago. */
export const filledDays = 100;

/** Loaded much faster without their indexes, which are made afterwards. */
const filledTables = ["transfers", "outcomes", "postings", "wallet_entries"];

/**
 * Fills a company's books with transfers that were accepted and completed over the last hundred days, quickly: through
 * the service's own functions for postings and events, with another clock, and everything else as rows. The audit passes.
 */
export async function fillBooks(
  book: Book,
  transfers: number,
  tell: (done: number) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: book.url });
  client.on("error", () => {});
  await client.connect();
  try {
    // Triggers would refuse a history of our own, and nobody waits for this one to be on disk.
    await client.query("set session_replication_role = replica");
    await client.query("set synchronous_commit = off");
    await client.query("set jit = off");
    await client.query(await withOwnClock(client, "add_postings"));
    await client.query(await withOwnClock(client, "add_events"));
    await client.query(beginAgain, [book.companyId, filledDays]);
    const indexes = await takeIndexes(client);
    await client.query(fillFunction);
    const setSize = Math.max(1, Math.min(setSizeMax, Math.floor(transfers / filledDays) - 3));
    const sets = Math.ceil(transfers / setSize);
    for (let set = 0; set < sets; set += setsPerCall) {
      await client.query("select fill_books($1, $2, $3, $4, $5, $6)", [
        book.companyId,
        set,
        Math.min(setsPerCall, sets - set),
        setSize,
        (filledDays * 86_400_000) / sets,
        customersMax,
      ]);
      tell(Math.min(transfers, (set + setsPerCall) * setSize));
    }
    await client.query("set maintenance_work_mem = '1GB'");
    for (const definition of indexes) await client.query(definition);
    await client.query(endFilling, [book.companyId]);
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
  while (await extendTotals(book.database, book.companyId));
}

/** The function as it is, but for its name and its clock. */
async function withOwnClock(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(
    "select pg_get_functiondef(oid) as text from pg_proc where proname = $1",
    [name],
  );
  const text = rows[0]?.text ?? "";
  if (!text.includes("clock_timestamp()")) throw new Error(`${name} asks for no time`);
  return text
    .replaceAll("clock_timestamp()", "current_setting('fill.now')::timestamptz")
    .replace(`.${name}(`, `.fill_${name}(`);
}

/** Drops the indexes of the large tables, and answers how to make them again. */
async function takeIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select case when k.conname is null then format('drop index %I', i.indexrelid::regclass::text)
        else format('alter table %I drop constraint %I', i.indrelid::regclass::text, k.conname) end as drop,
      case when k.conname is null then pg_get_indexdef(i.indexrelid)
        else format('alter table %I add constraint %I %s', i.indrelid::regclass::text, k.conname, pg_get_constraintdef(k.oid))
        end as make
     from pg_index i left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
     where i.indrelid = any ($1::text[]::regclass[])`,
    [filledTables],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

/** What the company was funded with is posted again, before everything else. */
const beginAgain = `
  with moment as (
    select set_config('fill.now', date_trunc('milliseconds', now() - make_interval(days => $2::integer) - interval '2 hours')::text, false)
  ), emptied as (
    delete from postings where company_id = $1
  ), former as (
    delete from event_runs where company_id = $1
  )
  update books set available = 0, in_flight = 0, fees = 0, external = 0, paid_out = 0, last_posting = 0, last_event = 0,
    chain = null, chained_after = null, posted_at = '-infinity'
  where company_id = $1 and exists (select 1 from moment)`;

const fillFunction = `
  create or replace function fill_books(
    p_company uuid, p_set integer, p_sets integer, p_size integer, p_apart_ms double precision, p_people integer
  ) returns void language plpgsql as $$
  declare
    v_read books;
    v_books books;
    v_begin timestamptz;
    v_at timestamptz;
    v_ids uuid[];
    v_amounts bigint[];
    v_funding record;
    v_name text;
  begin
    select * into v_read from books b where b.company_id = p_company for update;
    select c.name into v_name from companies c where c.company_id = p_company;
    v_books := v_read;
    if v_books.last_posting = 0 then
      perform set_config('fill.begin', current_setting('fill.now'), false);
      select f.id, f.amount into v_funding from fundings f where f.company_id = p_company;
      update fundings set created_at = current_setting('fill.now')::timestamptz where company_id = p_company;
      v_books := fill_add_postings(v_books, 'company.funded', 'external', 'available', array[v_funding.id], array[v_funding.amount]);
    end if;
    v_begin := current_setting('fill.begin')::timestamptz;
    for v_set in p_set .. p_set + p_sets - 1 loop
      v_at := v_begin + (v_set * p_apart_ms + 1000) * interval '1 millisecond';
      v_at := date_trunc('milliseconds', v_at);
      select array_agg((lpad(to_hex((extract(epoch from v_at) * 1000)::bigint), 12, '0') || lpad(to_hex(28672 + (n >> 14)), 4, '0')
          || lpad(to_hex(32768 + (n & 16383)), 4, '0')
          || lpad(to_hex((v_set::bigint * 7919 + n) * 131071 % 281474976710656), 12, '0'))::uuid order by n),
        array_agg(5000 + (n % 100) * 100 order by n)
      into v_ids, v_amounts from generate_series(1, p_size) as n;
      insert into transfers (company_id, id, amount, fee, msisdn, msisdn_has_plus, reference, description, metadata)
      select p_company, x.id, x.amount, 0, '2250710' || lpad(((v_set * p_size + x.n) % p_people)::text, 6, '0'), true,
        'filled-' || lpad((v_set * p_size + x.n)::text, 10, '0'), 'January salary', '{"employee":"117"}'
      from unnest(v_ids, v_amounts) with ordinality as x(id, amount, n);
      perform set_config('fill.now', v_at::text, true);
      v_books := fill_add_events(v_books, 'transactions/started', v_ids);
      v_books := fill_add_postings(v_books, 'transfer.reserved', 'available', 'in_flight', v_ids, v_amounts);
      v_at := v_at + interval '1 second';
      perform set_config('fill.now', v_at::text, true);
      insert into outcomes (company_id, id, ended_at, status)
      select p_company, x.id, v_at, 'completed' from unnest(v_ids) as x(id);
      insert into wallet_entries (msisdn, subject_id, event, amount, company_id, created_at, company_name, description)
      select '2250710' || lpad(((v_set * p_size + x.n) % p_people)::text, 6, '0'), x.id, 'transfer.completed', x.amount, p_company,
        v_at, v_name, 'January salary'
      from unnest(v_ids, v_amounts) with ordinality as x(id, amount, n);
      v_books := fill_add_events(v_books, 'transactions/completed', v_ids);
      v_books := fill_add_postings(v_books, 'transfer.completed', 'in_flight', 'paid_out', v_ids, v_amounts);
    end loop;
    perform keep_books(v_read, v_books);
    update settling set settled_upto = (select max(id::text)::uuid from unnest(v_ids) as x(id)) where company_id = p_company;
  end
  $$`;

const endFilling = `
  with held as (
    select msisdn, sum(amount) as amount from wallet_entries where company_id = $1 group by msisdn
  ), credited as (
    update wallets w set balance = w.balance + h.amount from held h where h.msisdn = w.msisdn
  )
  update event_cursors set last_event = (select last_event from books where company_id = $1) where company_id = $1`;
