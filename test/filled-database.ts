import pg from "pg";
import type { Database } from "../src/database/database.ts";
import { sql } from "../src/database/sql.ts";
import { toServiceReference } from "../src/kernel/service-reference.ts";
import { readTrail } from "../src/trail/read-trail.ts";
import { endpointIdOf } from "../src/webhooks/webhook.ts";
import type { Belongings } from "../torture/api/belongings.ts";
import { makeCompany, type TestCompany, type TestDatabase } from "./fixtures.ts";
import { smallTables } from "./small-tables.ts";

/** Rows of every growing table. */
const rowsFilled = 20_000;
/**
 * Of the newest rows, what is left for the workers. The new ones: pending transfers, events that nobody was told of.
 * As many before them: charges that are due no more, deliveries that wait.
 */
const rowsNew = 200;

/** Has a third of all money, and never fails to get it. */
export const popularMsisdn = "2250500000000";
/** In the book, and never sent anything. */
const unusedMsisdn = "2250500010000";

/**
 * Every table that does not stay small, and how it is filled from `facts`: one row per fact, most of them of one company. What is
 * asked for together is not found together: the popular number and the first sub-company never fail.
 */
const fillings: Readonly<Record<string, string>> = {
  sub_companies: "select company_id, id, 'Shop ' || n, logo_url, true, at, at from facts",
  logos: `
    select company_id, sha256(logo_url::bytea), logo_url, 'fetched', 1, at, null, 'image/png', '\\x00'::bytea, at, at
    from facts`,
  customers: "select msisdn, 'Awa', 'Diop', 'complete', 1000000000, at, at from facts",
  wallets: "select msisdn, 1000000, false from facts",
  batches: "select company_id, id, null, 50000, 0, 10, 10, 0, 'completed', at from facts",
  transfers: `
    select company_id, id, case when not is_new and n % 3 = 2 then batch_id end,
      case when n % 2 = 0 then first_id end, 5000, 0, party, false, 'reference ' || n, 'Salary', null
    from facts`,
  outcomes: `
    select company_id, id, at, (case when n % 6 = 1 then 'failed' else 'completed' end)::transfer_outcome,
      case when n % 6 = 1 then 'UNKNOWN_ERROR'::failure_reason end, case when n % 6 = 1 then party end,
      case when n % 6 = 1 and n % 2 = 0 then first_id end
    from facts where not is_new`,
  charges: `
    select company_id, id, 'external ' || n, 'Order', 5000, 0, 0,
      (case when is_recent then 'due' when n % 5 = 0 then 'dropped' when n % 5 = 1 then 'refunded' else 'paid' end)
        ::charge_status,
      case when not is_recent and n % 5 = 0 then 'EXPIRED'::dropped_reason end,
      case when is_recent or n % 5 = 0 then 0 else 5000 end,
      case when is_recent or n % 5 <> 1 then 0 else 5000 end,
      case when is_recent or n % 5 = 0 then 0 else 1 end,
      null, case when n % 2 = 0 then first_id end, 'https://shop.example/', 'https://shop.example/', at, at,
      case when is_new then now() else at end + interval '1 hour'
    from facts`,
  charge_transactions: `
    select company_id, id, id, 'payment'::charge_transaction_type, party, party, 5000, 0,
      'completed'::charge_transaction_status, null::payment_error, at
    from facts where not is_recent and n % 5 <> 0
    union all
    select company_id, id, first_id, 'refund', party, party, 5000, 0, 'completed', null, at
    from facts where not is_recent and n % 5 = 1 and id <> first_id`,
  checkouts: "select company_id, id, msisdn, 1, 0, null, null, at from facts",
  checkout_browsers:
    "select company_id, id, sha256('browser'), msisdn, 0, null, null, at from facts",
  former_idempotency_keys:
    "select company_id, 'former key ' || n, sha256('request'), id, null, at from facts",
  idempotency_keys: "select company_id, 'key ' || n, sha256('request'), id, null, at from facts",
  postings: `
    select company_id, 1 + number, id, 5000, null, at, 'transfer.completed', 'in_flight', 'paid_out'
    from facts where not is_new`,
  event_runs: `
    select company_id, number, (case n % 2 when 0 then 'transactions/completed' else 'charge/events' end)::topic, at,
      array[id], case n % 2 when 1 then array['{"data":{}}'] end
    from facts`,
  deliveries: `
    select company_id, company_id, number, endpoint_id, id, at, at, case when is_recent then at end, null, null,
      (case when is_recent then 'pending' when n % 10 = 0 then 'failed' else 'delivered' end)::delivery_status,
      1, 1, false, case when n % 10 > 0 then at end, case when n % 10 > 0 then 20 end,
      case when n % 10 > 0 then 200 end, null
    from facts join who using (company_id) where not is_new`,
  attempts: `
    select company_id, company_id, number, 1, at, 20, 500, null, null from facts
    where not is_new and n % 10 = 0`,
  wallet_entries: `
    select party, id, 'transfer.completed'::posting_event, 5000, company_id, at, 'Large', 'Shop', logo_url, 'Salary'
    from facts where not is_new`,
  one_time_codes: `select msisdn, id, 'wallet', '\\x00'::bytea, null, case when n % 10 = 0 then at - interval '20 days' else lately end,
      case when n % 10 = 0 then 1 else 0 end, null, null, sha256('browser'), false
    from facts`,
  known_browsers: "select msisdn, sha256('browser'), at - interval '150 days' from facts",
  proposals: `
    select company_id, id, (array['transfer', 'refund', 'payroll'])[1 + n % 3]::proposal_kind, 'Payment ' || n, 'content'::bytea,
      sha256('content'), company_id, array[company_id], 1, 5000, 0, case when n % 3 <> 1 then 1 end, 5000, n % 2 = 0,
      case when n % 3 = 2 then sha256(msisdn::bytea) end, id
    from facts`,
  approvals: `
    select company_id, id, 'approved'::approval_verdict, sha256('content'), array[company_id], first_id, null, at
    from facts where n % 2 = 0 and not is_new and id <> company_id`,
  proposal_states: `
    select company_id, id, n % 2 = 0, 1,
      (case when not is_new then 'carried_out' when n % 2 = 0 then 'waiting' else 'withdrawn' end)::proposal_state,
      case when n % 2 = 0 and not is_new then 'approved'::approval_verdict end, case when is_new then 0 else 1 end, null, at
    from facts`,
  proposal_parts: "select company_id, id, 0, 1, id, at from facts where not is_new",
  proposal_gaps:
    "select company_id, id, 0, 'REFERENCE_USED_BY_ANOTHER' from facts where not is_new",
  payroll_drafts: `
    select company_id, id, 'june.csv', sha256('file'), '\\x00'::bytea, 1, company_id, array[company_id], null, false, false, null,
      case when n % 2000 > 0 then id end, case when n % 10 = 0 then at - interval '200 days' else at end
    from facts`,
  held_decisions: `
    select company_id, id, 'approved'::approval_verdict, sha256('content'), 1, 5000, 0, array[]::uuid[], first_id, null
    from facts where not is_new`,
  held_transfers: "select company_id, id, id from facts where not is_new",
  message_counts: "select 'phone:' || msisdn, lately, 1, lately - interval '1 day', 1 from facts",
  code_recipients: "select msisdn, lately from facts",
  company_trail: `
    select company_id, id, null, company_id, '192.0.2.9', 'POST /v1/webhooks', 'webhook.created', id::text, null, null, number, sha256('chained')
    from facts`,
  customer_trail:
    "select msisdn, id, 'awa', 'customer add', 'customer.added', null, n, sha256('chained') from facts",
  request_log: `
    select company_id, id, at, 'GET', '/v1/balance', case when n % 10 = 0 then 404 else 200 end, company_id, 5, 'c-' || n
    from facts`,
  seals: `
    select company_id, date '1990-01-01' + number::integer, at, -number, 0, sha256('history'), 'key', sha256('signature'), at,
      number, sha256('chained'), n, sha256('chained')
    from facts`,
  statement_totals: `
    select company_id, id, 1000 * number, array['transfer.reserved'], array[1], array[5000], array[0] from facts`,
  day_totals: `
    select company_id, date '1990-01-01' + number::integer, array['transfer.reserved'], array[1], array[0], array[0] from facts`,
  wallet_sessions: "select msisdn, sha256(msisdn::bytea), lately, lately from facts",
};

export const growingTables: ReadonlySet<string> = new Set(Object.keys(fillings));

/** What rows are made of. Of everything there is a little that is old enough to be forgotten, as an hour's worth is. */
const makeFacts = `
  create temporary table facts as
  select f.*, '22505' || lpad(n::text, 8, '0') as msisdn, 'https://shop.example/' || n || '.png' as logo_url,
    case when n % 3 = 0 then '${popularMsisdn}' else '22505' || lpad((1 + n % 9000)::text, 8, '0') end as party,
    n > ${rowsFilled} - ${rowsNew} as is_new, n > ${rowsFilled} - 2 * ${rowsNew} as is_recent,
    row_number() over (partition by company_id order by n) as number,
    first_value(id) over (partition by company_id order by n) as first_id,
    first_value(id) over (partition by company_id, n / 12 order by n) as batch_id
  from (
    select n, company_id, at, now() - (${rowsFilled} - n) * interval '1 day 3 minutes' / ${rowsFilled} as lately,
      -- As the service makes them: the time, and behind it what makes them different.
      (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000'
        || lpad(to_hex(n), 12, '0'))::uuid as id
    from (
      select n, now() - (${rowsFilled} - n) * interval '30 days 1 hour' / ${rowsFilled} as at,
        case when n % 6 > 0 then 1 else 2 + n / 6 % (select count(*) - 1 from who) end as place
      from generate_series(1, ${rowsFilled}) as n
    ) as g
    join who using (place)
  ) as f
  order by n`;

/** What goes with the rows, so that the workers can go on from there. A company's webhook has the company's id. */
const makeSurroundings = `
  insert into endpoints (company_id, id) select company_id, endpoint_id from who;
  insert into webhooks (company_id, id, endpoint_id, topic, url, from_event, created_at, updated_at)
    select company_id, company_id, endpoint_id, 'transactions/completed', url, 0, now(), now() from who;
  insert into event_cursors
    select company_id, max(number), now() from facts where not is_new group by company_id;
  insert into pending_transfers select company_id, id from facts where is_new;
  update books as b set last_posting = 1 + f.last_number, last_event = f.last_number, available = 1000000000000,
      in_flight = 1000000000000, external = -2000000000000
    from (select company_id, max(number) as last_number from facts group by company_id) as f
    where f.company_id = b.company_id;
  insert into customers values ('${popularMsisdn}', 'Awa', 'Diop', 'complete', 1000000000);
  insert into wallets values ('${popularMsisdn}', 1000000);
  insert into work (company_id, queue, ready_at)
    select company_id, queue, now() from who, unnest('{charges}'::text[]) as queue`;

/** A month of traffic of one large company and of some small ones. No trigger runs meanwhile: it needs a superuser. */
export async function fillDatabase(
  { url, database }: TestDatabase,
  webhookUrl: string,
): Promise<{ readonly large: TestCompany; readonly small: TestCompany }> {
  const large = await makeCompany(database, { name: "Large" });
  const small = await makeCompany(database, { name: "Small" });
  const others = [await makeCompany(database), await makeCompany(database)];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(
      "create temporary table who (company_id uuid, place int, endpoint_id uuid, url text)",
    );
    await client.query("insert into who select *, $2, $3 from unnest($1::uuid[]) with ordinality", [
      [large, small, ...others].map(({ id }) => id),
      endpointIdOf(webhookUrl),
      webhookUrl,
    ]);
    await client.query(makeFacts);
    for (const [table, select] of Object.entries(fillings))
      await client.query(`insert into ${table} ${select}`);
    await client.query(makeSurroundings);
    await client.query(`analyze ${[...growingTables, ...Object.keys(smallTables)].join(", ")}`);
  } finally {
    await client.end();
  }
  return { large, small };
}

/** As the operator reads it: the end of the trail of a company and of all, and the page before it. */
export async function readTrailOf(database: Database, companyId: string): Promise<void> {
  for (const query of [{ companyId }, { companyId: undefined }]) {
    const page = { ...query, since: new Date(0), before: undefined, limit: 50 };
    const entries = await readTrail(database, page);
    await readTrail(database, { ...page, before: entries.at(-1)?.id });
  }
}

/** What the workers have not done yet of what was waiting for them. */
export function leftToDo({ database }: TestDatabase, companyId: string): Promise<object[]> {
  return database.query(sql`
    select 'a transfer' from pending_transfers where company_id = ${companyId}
    union all
    select 'a charge' from charges
    where company_id = ${companyId} and status = 'due' and expires_at < now()
    union all
    select 'a delivery' from deliveries
    where company_id = ${companyId} and webhook_id = ${companyId} and status in ('pending', 'blocked')`);
}

/** The first of everything that a company was filled with: the oldest, and the one that has the most below it. */
export async function filledId({ database }: TestDatabase, companyId: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from sub_companies where company_id = ${companyId} order by id limit 1`);
  return row?.id ?? "";
}

/** A company's things with those it was filled with; also what lists are asked for, by the name of the filter. */
export function withFilled(made: Belongings, filled: string, webhookId: string): Belongings {
  const hex = filled.replaceAll("-", "");
  const [webhook = "", ...webhooks] = made["webhooks"] ?? [];
  return {
    ...made,
    transactions: [...(made["transactions"] ?? []), `txn_${hex}`],
    batches: [...(made["batches"] ?? []), `bat_${hex}`],
    charges: [...(made["charges"] ?? []), filled],
    "sub-companies": [...(made["sub-companies"] ?? []), `subco_${hex}`],
    // Neither the first, whose deliveries are known, nor the last, which is deleted.
    webhooks: [webhook, webhookId, ...webhooks],
    reference: ["reference 1"],
    serviceTransactionReference: [toServiceReference(filled)],
    externalId: ["external 1"],
    // What has very many rows, and what has none: either can lead down the wrong index.
    msisdn: [popularMsisdn, unusedMsisdn],
    subCompanyId: [`subco_${hex}`, made["sub-companies"]?.at(-1) ?? ""],
    batchId: [`bat_${hex}`],
    createdFrom: ["2000-01-01"],
    createdTo: ["2999-01-01"],
    from: ["2000-01-01", new Date().toISOString()],
    to: ["2999-01-01"],
    after: ["0", "1000", "latest"],
    topics: ["batches/completed", "transactions/started,charge/events"],
    wait: ["0"],
  };
}
