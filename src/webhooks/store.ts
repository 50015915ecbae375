import type { Queryable, Tx } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import { patienceMs } from "./delivery-policy.ts";
import type { Topic } from "./event.ts";
import { type AddressTest, endpointIdOf, type Webhook } from "./webhook.ts";

interface WebhookRow {
  readonly id: string;
  readonly topic: Topic;
  readonly url: string;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly tested_at: Date | null;
  readonly test_status_code: number | null;
  readonly test_error: string | null;
}

/** An endpoint of which nothing is known, but for the requests that it has had in the last minute. */
const asNew = sql`
  failures = 0, failing_since = null, open_until = null, opened_at = null, probe_claim = null, probe_at = null,
  recovered_at = null, proved_at = null, test_status_code = null, test_error = null`;
const withoutWebhook = (companyId: string) => sql`not exists (
  select 1 from webhooks w where w.company_id = ${companyId} and w.endpoint_id = n.id)`;

const columns = sql`w.*, n.tested_at, n.test_status_code, n.test_error`;
const withTests = (companyId: string) => sql`
  webhooks w join endpoints n on n.company_id = ${companyId} and n.id = w.endpoint_id`;

/**
 * Takes the lock of a company's deliveries, and answers how many webhooks it has. Before the first one nobody listened
 * and the cursor stood still: it starts at what happens now.
 */
export async function lockDeliveries(tx: Tx, companyId: string): Promise<number> {
  await tx.query(sql`
    insert into event_cursors (company_id, last_event)
    select b.company_id, b.last_event from books b where b.company_id = ${companyId}
    on conflict (company_id) do nothing`);
  await tx.query(sql`select lock_deliveries(${companyId}, ${patienceMs})`);
  const rows = await tx.query<{ count: number }>(sql`
    select count(*) as count from webhooks where company_id = ${companyId}`);
  return rows[0]?.count ?? 0;
}

/**
 * The webhook hears of what happens from now on. The books are locked: an event that is being written now is either
 * before this moment, or comes after it and is told. `isFirst`: nobody has listened so far.
 */
export async function insertWebhook(
  tx: Tx,
  companyId: string,
  webhook: Webhook,
  isFirst: boolean,
): Promise<void> {
  const endpointId = endpointIdOf(webhook.url);
  const [books] = await tx.query<{ last_event: number }>(sql`
    select last_event from books where company_id = ${companyId} for update`);
  const fromEvent = books?.last_event ?? 0;
  if (isFirst)
    await tx.query(
      sql`update event_cursors set last_event = ${fromEvent} where company_id = ${companyId}`,
    );
  // One that was deleted a moment ago is there still, see removeWebhook.
  await tx.query(sql`
    update endpoints as n set ${asNew}, tested_at = null
    where n.company_id = ${companyId} and n.id = ${endpointId} and ${withoutWebhook(companyId)}`);
  await tx.query(sql`
    insert into endpoints (company_id, id) values (${companyId}, ${endpointId})
    on conflict (company_id, id) do nothing`);
  await tx.query(sql`
    insert into webhooks (company_id, id, endpoint_id, topic, url, from_event, created_at, updated_at)
    values (${companyId}, ${webhook.id}, ${endpointId}, ${webhook.topic}, ${webhook.url}, ${fromEvent},
      ${webhook.createdAt}, ${webhook.updatedAt})`);
  // Its address may have to be sent a test event.
  await tx.query(sql`select mark_due(${companyId}, now())`);
}

export async function selectWebhook(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Webhook | undefined> {
  const rows = await database.query<WebhookRow>(sql`
    select ${columns} from ${withTests(companyId)} where w.company_id = ${companyId} and w.id = ${id}`);
  return rows[0] && toWebhook(rows[0]);
}

export async function selectWebhookPage(
  database: Queryable,
  companyId: string,
  page: PageRequest,
): Promise<Webhook[]> {
  const rows = await database.query<WebhookRow>(sql`
    select ${columns} from ${withTests(companyId)}
    where w.company_id = ${companyId} and ${pageOf(page, sql`w.id`)}`);
  return rows.map(toWebhook);
}

/**
 * Cancels what the webhook still had to deliver, and deletes it, and its endpoint if that has no other; false: there is none. While
 * the bucket of requests to the endpoint fills up, its row stays: otherwise who registers it anew would have a full one.
 */
export async function removeWebhook(tx: Tx, companyId: string, id: string): Promise<boolean> {
  await tx.query(sql`select cancel_deliveries(${companyId}, ${id})`);
  const rows = await tx.query<{ endpoint_id: string }>(sql`
    delete from webhooks where company_id = ${companyId} and id = ${id} returning endpoint_id`);
  await tx.query(sql`select forget_endpoints(${companyId})`);
  await tx.query(sql`
    update endpoints as n set ${asNew}, tested_at = now()
    where n.company_id = ${companyId} and n.id = ${rows[0]?.endpoint_id ?? null} and ${withoutWebhook(companyId)}`);
  return rows.length > 0;
}

/** Hears again, of what happens from now on; what it missed meanwhile can be replayed. */
export async function markEnabled(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<Webhook | undefined> {
  await tx.query(sql`
    update webhooks set disabled_at = null, disabled_reason = null, updated_at = now()
    where company_id = ${companyId} and id = ${id}`);
  await tx.query(sql`
    update endpoints
    set failures = 0, failing_since = null, open_until = null, opened_at = null, probe_claim = null, probe_at = null
    where company_id = ${companyId} and id in (
      select endpoint_id from webhooks where company_id = ${companyId} and id = ${id})`);
  await tx.query(sql`select mark_due(${companyId}, now())`);
  return selectWebhook(tx, companyId, id);
}

/** Nothing more is sent to it; what it still had to deliver is cancelled. */
export async function markDisabled(
  tx: Tx,
  companyId: string,
  id: string,
  reason: string,
): Promise<void> {
  await tx.query(sql`
    update webhooks set disabled_at = now(), disabled_reason = ${reason}, updated_at = now()
    where company_id = ${companyId} and id = ${id}`);
  await tx.query(sql`select cancel_deliveries(${companyId}, ${id})`);
}

/** The endpoints of a company that have answered 2xx. */
export async function selectProved(
  database: Queryable,
  companyId: string,
): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(sql`
    select id from endpoints where company_id = ${companyId} and proved_at is not null`);
  return new Set(rows.map(({ id }) => id));
}

/** Whether events have happened that were not taken yet. */
export async function isBehind(database: Queryable, companyId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select 1 from event_cursors c join books b on b.company_id = ${companyId}
    where c.company_id = ${companyId} and c.last_event < b.last_event`);
  return rows.length > 0;
}

function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    topic: row.topic,
    url: row.url,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    test: toTest(row),
  };
}

/** While the answer is awaited there is nothing to show. */
function toTest({ tested_at, test_status_code, test_error }: WebhookRow): AddressTest | null {
  if (tested_at === null || (test_status_code === null && test_error === null)) return null;
  return { sentAt: tested_at, statusCode: test_status_code, error: test_error };
}
