import type { Queryable, Tx } from "../database/database.ts";
import { pageOf } from "../database/page.ts";
import { sql } from "../database/sql.ts";
import type { PageRequest } from "../kernel/page.ts";
import type { Topic } from "./event.ts";
import { endpointIdOf, type Webhook } from "./webhook.ts";

interface WebhookRow {
  readonly id: string;
  readonly topic: Topic;
  readonly url: string;
  readonly disabled_at: Date | null;
  readonly disabled_reason: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/**
 * The webhook hears of what happens from now on. The cursor is taken first: it serialises registrations
 * with one another and with the fan-out.
 */
export async function insertWebhook(tx: Tx, companyId: string, webhook: Webhook): Promise<void> {
  const endpointId = endpointIdOf(webhook.url);
  await tx.query(sql`
    insert into endpoints (company_id, id, url) values (${companyId}, ${endpointId}, ${webhook.url})
    on conflict (company_id, id) do nothing`);
  await tx.query(sql`
    insert into webhooks (company_id, id, endpoint_id, topic, url, from_event, created_at, updated_at)
    select c.company_id, ${webhook.id}, ${endpointId}, ${webhook.topic}, ${webhook.url}, c.last_event,
      ${webhook.createdAt}, ${webhook.updatedAt}
    from company_counters c where c.company_id = ${companyId}`);
  // An event that was being written meanwhile did not see this webhook, and so marked nothing.
  await tx.query(sql`select mark_webhook_work(${companyId}, now())`);
}

/**
 * Takes the lock that registrations share with the fan-out; returns how many webhooks there are. Before the
 * first one nobody listened and the cursor stood still: it starts at what happens now.
 */
export async function lockCursor(tx: Tx, companyId: string): Promise<number> {
  await tx.query(sql`
    insert into event_cursors (company_id, last_event)
    select c.company_id, c.last_event from company_counters c where c.company_id = ${companyId}
    on conflict (company_id) do nothing`);
  await tx.query(sql`select lock_deliveries(${companyId})`);
  const rows = await tx.query<{ count: number }>(sql`
    select count(*) as count from webhooks where company_id = ${companyId} and deleted_at is null`);
  const count = rows[0]?.count ?? 0;
  if (count === 0) {
    await tx.query(sql`
      update event_cursors as e set last_event = c.last_event
      from company_counters c where c.company_id = ${companyId} and e.company_id = ${companyId}`);
  }
  return count;
}

export async function selectWebhook(
  database: Queryable,
  companyId: string,
  id: string,
): Promise<Webhook | undefined> {
  const rows = await database.query<WebhookRow>(sql`
    select * from webhooks where company_id = ${companyId} and id = ${id} and deleted_at is null`);
  return rows[0] && toWebhook(rows[0]);
}

export async function selectWebhookPage(
  database: Queryable,
  companyId: string,
  page: PageRequest,
): Promise<Webhook[]> {
  const rows = await database.query<WebhookRow>(sql`
    select * from webhooks where company_id = ${companyId} and deleted_at is null and ${pageOf(page)}`);
  return rows.map(toWebhook);
}

/** True when there was one to delete. */
export async function markDeleted(tx: Tx, companyId: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhooks set deleted_at = now(), updated_at = now()
    where company_id = ${companyId} and id = ${id} and deleted_at is null returning id`);
  return rows.length > 0;
}

export async function cancelDeliveries(tx: Tx, companyId: string, id: string): Promise<void> {
  await tx.query(sql`select cancel_deliveries(${companyId}, ${id})`);
}

/** Hears again, of what happens from now on; what it missed meanwhile can be replayed. */
export async function markEnabled(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<Webhook | undefined> {
  const rows = await tx.query<WebhookRow>(sql`
    update webhooks set disabled_at = null, disabled_reason = null, updated_at = now()
    where company_id = ${companyId} and id = ${id} and deleted_at is null returning *`);
  await tx.query(sql`
    update endpoints set failures = 0, failing_since = null, open_until = null
    where company_id = ${companyId} and id in (
      select endpoint_id from webhooks where company_id = ${companyId} and id = ${id})`);
  await tx.query(sql`select mark_webhook_work(${companyId}, now())`);
  return rows[0] && toWebhook(rows[0]);
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
  };
}
