import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/database/database.ts";
import { OutcomeUnknown } from "../../src/database/errors.ts";
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
  await database.execute(sql`
    update endpoints set open_until = null, tries_until = null where probe_claim is null or proved_at is null`);
  await database.execute(sql`update event_cursors set due_at = now() where due_at > now()`);
  await database.execute(sql`update work set leased_until = now() where leased_until > now()`);
  await database.execute(sql`
    update work set ready_at = now() where queue in ('transfers', 'webhooks') and ready_at > now()`);
}

function ignoreUnknownOutcome(error: unknown): void {
  if (!(error instanceof OutcomeUnknown)) throw error;
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
      // A connection to a server that has just been killed may break here; the next time is soon enough.
      await hurry(database).catch(ignoreUnknownOutcome);
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

/** What a receiver is sent of one event. */
export interface ExpectedMessage {
  /** The id that it bears. */
  readonly message: string;
  readonly number: number;
  readonly topic: Topic;
  readonly subjectId: string;
  readonly raw: string | undefined;
}

/** All that has happened, in order, as it has to be told. */
export async function readExpected({
  database,
  companyId,
  webhookIds,
}: Omit<Told, "received">): Promise<readonly ExpectedMessage[]> {
  const events = await database.query<{
    number: number;
    topic: Topic;
    subject_id: string;
    payload: string | null;
    created_at: Date;
  }>(sql`
    select number, topic, subject_id, payload, created_at from events
    where company_id = ${companyId} order by number`);
  const bare = events.filter(({ payload }) => payload === null);
  const made = await transferPayloads(
    database,
    companyId,
    bare.map(({ topic, subject_id }) => ({ topic, subjectId: subject_id })),
  );
  const payloads = new Map(bare.map(({ number }, place) => [number, made[place]]));
  return events.map(({ number, topic, subject_id: subjectId, payload, created_at }) => ({
    message: messageIdOf(webhookIds.get(topic) ?? "", {
      eventNumber: number,
      happenedMs: created_at.getTime(),
      subjectId,
    }),
    number,
    topic,
    subjectId,
    raw: payload ?? payloads.get(number),
  }));
}

/**
 * Every event arrived at least once, with exactly the bytes that were committed; whatever arrived twice was
 * the same message; nobody was told what never happened; and for one object, nothing overtook.
 */
export async function verifyEvents({ received, ...told }: Told): Promise<string[]> {
  const findings: string[] = [];
  const expected = await readExpected(told);
  const byMessage = new Map(expected.map((event) => [event.message, event]));
  const arrived = new Set<string>();
  const lastOf = new Map<string, number>();
  for (const { headers, raw } of received) {
    const id = String(headers["webhook-id"]);
    const event = byMessage.get(id);
    if (event === undefined) {
      findings.push(`the notification ${id} tells of nothing that happened: ${raw}`);
      continue;
    }
    if (raw !== event.raw) findings.push(`the notification ${id} has other bytes: ${raw}`);
    if (arrived.has(id)) continue;
    arrived.add(id);
    if (event.number < (lastOf.get(event.subjectId) ?? 0))
      findings.push(`event ${event.number} (${event.topic}) came after a later one of its object`);
    lastOf.set(event.subjectId, event.number);
  }
  for (const { message, topic, number } of expected)
    if (!arrived.has(message)) findings.push(`event ${number} (${topic}) was never delivered`);
  return findings;
}
