import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/database/database.ts";
import { sql } from "../../src/database/sql.ts";
import { transferPayloads } from "../../src/transfers/tell-transfers.ts";
import type { Topic } from "../../src/webhooks/event.ts";
import { messageIdOf } from "../../src/webhooks/webhook.ts";
import type { Received } from "./receiver.ts";

const pollMs = 100;

export interface Told {
  readonly database: Database;
  readonly companyId: string;
  /** The webhook that hears of each topic. */
  readonly webhookIds: ReadonlyMap<string, string>;
  readonly received: readonly Received[];
}

/** What a caller of `untilQuiet` gives the living before the dead are declared dead. */
const hurryAfterMs = 1_500;

/**
 * As if the time were over that work in the hands of a process stays there after its death: half a minute for
 * a notification, a lease for a company's turn, a pause for an address whose test it sent. Whoever does live loses
 * nothing but the claim.
 */
async function hurry(database: Database): Promise<void> {
  await database.execute(sql`
    update deliveries set claimed_until = now() where status = 'pending' and claimed_until > now()`);
  await database.execute(sql`update claims set claimed_until = now() where claimed_until > now()`);
  await database.execute(sql`update endpoints set open_until = null where proved_at is null`);
  await database.execute(sql`update event_cursors set due_at = now() where due_at > now()`);
  await database.execute(sql`update work set leased_until = now() where leased_until > now()`);
  await database.execute(sql`
    update work set ready_at = now() where queue in ('transfers', 'webhooks') and ready_at > now()`);
}

/** Waits until every transfer has ended and everybody was told; returns what did not end in time. */
export async function untilQuiet(
  database: Database,
  timeoutMs: number,
  isHurried: boolean,
): Promise<string[]> {
  const started = performance.now();
  const deadline = started + timeoutMs;
  let hurryAt = isHurried ? started + hurryAfterMs : Number.POSITIVE_INFINITY;
  for (;;) {
    if (performance.now() > hurryAt) {
      await hurry(database);
      hurryAt += hurryAfterMs;
    }
    const [left] = await database.query<{ transfers: number; events: number; deliveries: number }>(
      sql`
        select (select count(*) from pending_transfers) as transfers,
          (select coalesce(sum(n.last_event - c.last_event), 0)::bigint
            from books n join event_cursors c using (company_id)
            where exists (select 1 from webhooks w where w.company_id = n.company_id)) as events,
          (select count(*) from deliveries where status in ('pending', 'blocked'))
            + (select count(*) from claims) as deliveries`,
    );
    const open = Object.entries(left ?? {}).filter(([, count]) => count > 0);
    if (open.length === 0) return [];
    if (performance.now() > deadline)
      return open.map(([what, count]) => `${count} ${what} were left after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
}

/**
 * Every event arrived at least once, with exactly the bytes that were committed; whatever arrived twice was
 * the same message; nobody was told what never happened; and for one object, nothing overtook.
 */
export async function verifyEvents(told: Told): Promise<string[]> {
  const findings: string[] = [];
  const events = await told.database.query<{
    number: number;
    topic: Topic;
    subject_id: string;
    payload: string | null;
    created_at: Date;
  }>(sql`
    select number, topic, subject_id, payload, created_at from events
    where company_id = ${told.companyId} order by number`);
  const bare = events.filter(({ payload }) => payload === null);
  const made = await transferPayloads(
    told.database,
    told.companyId,
    bare.map(({ topic, subject_id }) => ({ topic, subjectId: subject_id })),
  );
  const payloads = new Map(bare.map(({ number }, place) => [number, made[place]]));
  const byMessage = new Map(
    events.map((event) => {
      const webhookId = told.webhookIds.get(event.topic) ?? "";
      const id = messageIdOf(webhookId, {
        eventNumber: event.number,
        happenedMs: event.created_at.getTime(),
        subjectId: event.subject_id,
      });
      return [id, event];
    }),
  );

  const arrived = new Set<string>();
  const lastOf = new Map<string, number>();
  for (const { headers, raw } of told.received) {
    const id = String(headers["webhook-id"]);
    const event = byMessage.get(id);
    if (event === undefined) {
      findings.push(`the notification ${id} tells of nothing that happened: ${raw}`);
      continue;
    }
    if (raw !== (event.payload ?? payloads.get(event.number)))
      findings.push(`the notification ${id} has other bytes: ${raw}`);
    if (arrived.has(id)) continue;
    arrived.add(id);
    if (event.number < (lastOf.get(event.subject_id) ?? 0))
      findings.push(`event ${event.number} (${event.topic}) came after a later one of its object`);
    lastOf.set(event.subject_id, event.number);
  }
  for (const [id, { topic, number }] of byMessage)
    if (!arrived.has(id)) findings.push(`event ${number} (${topic}) was never delivered`);
  return findings;
}
