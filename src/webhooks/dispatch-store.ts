import type { Database, Queryable } from "../database/database.ts";
import { findInParts, isSharded } from "../database/parts.ts";
import { sql } from "../database/sql.ts";
import {
  breakerAfter,
  breakerPauseMaxMs,
  breakerPauseMinMs,
  claimedForMs,
  disableAfterDays,
  patienceMs,
  probeTries,
  reasonFailing,
  reasonGone,
  supersededAfter,
  triesPerMinute,
  tryPauseMs,
} from "./delivery-policy.ts";
import { roomStart } from "./endpoint-queue.ts";
import type { Topic } from "./event.ts";
import type { Claim, Held, Outcome } from "./held.ts";

/** One webhook of a company, and how the company stands: the same on every row. */
export interface StandingRow {
  readonly webhook_id: string;
  readonly endpoint_id: string;
  readonly topic: Topic;
  readonly url: string;
  readonly is_enabled: boolean;
  /** Its endpoint fails at the moment, or has never answered 2xx. */
  readonly is_failing: boolean;
  /** Its endpoint has yet to be sent a test event. */
  readonly is_untested: boolean;
  /** Events up to the first number are taken, those up to the second have happened. */
  readonly last_event: number;
  readonly newest_event: number;
  /** Something that is written down is due. */
  readonly is_due: boolean;
  /** Nobody tells what some claim covers: it has run out, or it is this node's, which does not have it. */
  readonly has_lost: boolean;
}

export async function selectStanding(
  database: Queryable,
  companyId: string,
  { nodeId, held }: Pick<EventsClaim, "nodeId" | "held">,
): Promise<StandingRow[]> {
  return database.query<StandingRow>(sql`
    select w.id as webhook_id, w.endpoint_id, w.topic, w.url, w.disabled_at is null as is_enabled,
      n.failures > 0 or n.proved_at is null or coalesce(n.open_until > now(), false) as is_failing,
      n.tested_at is null and n.proved_at is null as is_untested,
      c.last_event, b.last_event as newest_event, coalesce(c.due_at <= now(), false) as is_due,
      exists (
        select 1 from claims k where k.company_id = ${companyId}
          and (k.claimed_until < now() or (k.node_id = ${nodeId} and k.id <> all (${held}::uuid[])))
      ) as has_lost
    from event_cursors c
    join books b on b.company_id = ${companyId}
    join webhooks w on w.company_id = ${companyId}
    join endpoints n on n.company_id = ${companyId} and n.id = w.endpoint_id
    where c.company_id = ${companyId}`);
}

/** A delivery to be told, as the database hands it out. */
export interface HandedOut {
  readonly webhook_id: string;
  readonly event_number: number;
  readonly subject_id: string;
  readonly happened_ms: number;
  /** Null: it is made from what never changes. */
  readonly payload: string | null;
  readonly tries?: number;
}

export interface EventsClaim {
  readonly nodeId: string;
  readonly claimId: string;
  /** The claims that the node has in hand. */
  readonly held: readonly string[];
  readonly direct: readonly string[];
  readonly limit: number;
  readonly now: Date;
  readonly delayMs: number;
}

/** See claim_events. */
export async function claimEvents(
  database: Database,
  companyId: string,
  { nodeId, claimId, held, direct, limit, now, delayMs }: EventsClaim,
): Promise<HandedOut[]> {
  return database.execute<HandedOut>(sql`
    select * from claim_events(
      ${companyId}, ${nodeId}, ${claimId}, ${held}::uuid[], ${direct}::uuid[], ${limit}, ${now.getTime()},
      ${Math.ceil(delayMs)}, ${claimedForMs}, ${supersededAfter})`);
}

/** See take_deliveries. */
export async function takeDeliveries(
  database: Database,
  companyId: string,
  claimId: string,
  rooms: ReadonlyMap<string, number>,
): Promise<HandedOut[]> {
  return database.execute<HandedOut>(sql`
    select * from take_deliveries(
      ${companyId}, ${claimId}, ${claimedForMs}, ${roomStart}, ${[...rooms.keys()]}::uuid[],
      ${[...rooms.values()]}::integer[], ${tryPauseMs}, ${triesPerMinute})`);
}

/** An address to be tried with a test event, which names one of its webhooks. */
export interface NewAddress {
  readonly endpoint_id: string;
  readonly webhook_id: string;
  readonly url: string;
}

/** See take_tests. */
export async function takeTests(database: Database, companyId: string): Promise<NewAddress[]> {
  return database.execute<NewAddress>(
    sql`select * from take_tests(${companyId}, ${claimedForMs}, ${tryPauseMs}, ${triesPerMinute})`,
  );
}

/** What an address answered to its test event. */
export interface TestOutcome {
  /** Null: no answer came. */
  readonly statusCode: number | null;
  /** Why none came. */
  readonly error: string | null;
}

/** See note_test. */
export async function noteTest(
  database: Database,
  companyId: string,
  endpointId: string,
  { statusCode, error }: TestOutcome,
): Promise<void> {
  await database.execute(
    sql`select note_test(${companyId}, ${endpointId}, ${statusCode}, ${error}, ${patienceMs}, ${breakerPauseMinMs})`,
  );
}

/** In how many milliseconds something that is written down is due: see set_due. */
export async function setDue(
  database: Database,
  companyId: string,
  pauses: ReadonlyMap<string, number>,
): Promise<number | undefined> {
  const rows = await database.execute<{ due_ms: number | null }>(sql`
    select due_ms from set_due(
      ${companyId}, ${[...pauses.keys()]}::uuid[], ${[...pauses.values()]}::float8[], ${triesPerMinute})`);
  return rows[0]?.due_ms ?? undefined;
}

/** A delivery in hand, and what came of it. */
export interface Recordable {
  readonly held: Held;
  readonly outcome: Outcome;
}

export interface Told {
  /** Places of those that another had written down meanwhile. */
  readonly late: readonly number[] | null;
  readonly is_due: boolean;
}

/** See record_told. */
export async function recordTold(
  database: Database,
  companyId: string,
  told: readonly Recordable[],
  finished: readonly Claim[],
): Promise<Told> {
  const hooks = new Map<string, number>();
  const endpoints: string[] = [];
  const places = told.map(({ held: { listener } }) => {
    const known = hooks.get(listener.webhookId);
    if (known !== undefined) return known;
    endpoints.push(listener.endpointId);
    hooks.set(listener.webhookId, endpoints.length);
    return endpoints.length;
  });
  const [row] = await database.execute<Told>(sql`
    select late, is_due from record_told(
      ${companyId}, ${patienceMs}, ${breakerPauseMinMs}, ${[...hooks.keys()]}::uuid[], ${endpoints}::uuid[], ${places}::integer[],
      ${told.map(({ held }) => held.eventNumber)}::bigint[],
      ${told.map(({ held }) => held.subjectId)}::uuid[],
      ${told.map(({ held }) => held.claim.claimedAt.getTime())}::bigint[],
      ${told.map(({ outcome }) => outcome.startedMs)}::bigint[],
      ${told.map(({ outcome }) => outcome.durationMs)}::integer[],
      ${told.map(({ outcome }) => outcome.statusCode)}::integer[],
      ${told.map(({ outcome }) => outcome.response)}::text[],
      ${finished.map(({ id }) => id)}::uuid[])`);
  return row ?? { late: null, is_due: false };
}

/** See record_attempts. */
export async function recordAttempts(
  database: Database,
  companyId: string,
  attempts: readonly Recordable[],
  finished: readonly Claim[],
): Promise<void> {
  await database.execute(sql`
    select record_attempts(
      ${companyId}, ${patienceMs},
      ${attempts.map(({ held }) => held.claim.id)}::uuid[],
      ${attempts.map(({ held }) => held.listener.webhookId)}::uuid[],
      ${attempts.map(({ held }) => held.eventNumber)}::bigint[],
      ${attempts.map(({ held }) => held.subjectId)}::uuid[],
      ${attempts.map(({ held }) => held.claim.claimedAt.getTime())}::bigint[],
      ${attempts.map(({ outcome }) => outcome.kind)}::text[],
      ${attempts.map(({ outcome }) => outcome.delayMs)}::bigint[],
      ${attempts.map(({ outcome }) => outcome.askedMs)}::bigint[],
      ${attempts.map(({ outcome }) => outcome.startedMs)}::bigint[],
      ${attempts.map(({ outcome }) => outcome.durationMs)}::integer[],
      ${attempts.map(({ outcome }) => outcome.statusCode)}::integer[],
      ${attempts.map(({ outcome }) => outcome.error)}::text[],
      ${attempts.map(({ outcome }) => outcome.response)}::text[],
      ${finished.map(({ id }) => id)}::uuid[],
      ${supersededAfter}, ${breakerAfter}, ${probeTries}, ${breakerPauseMinMs}, ${breakerPauseMaxMs},
      make_interval(days => ${disableAfterDays}), ${reasonGone}, ${reasonFailing})`);
}

/** Companies of which something that is written down is due, or a claim has run out; the longest waiting first. */
export async function selectDueCompanies(database: Database, limit: number): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      (select company_id from event_cursors
        where company_id ${which} and due_at <= now() order by due_at limit ${limit})
      union
      (select company_id from claims
        where company_id ${which} and claimed_until < now() order by claimed_until limit ${limit})`),
  );
  return rows.map((row) => row.company_id);
}

export interface Behind {
  readonly companyIds: readonly string[];
  /** Where to look on next time; undefined: from the start. */
  readonly next: string | undefined;
}

/**
 * Companies that have a webhook in service and events that nobody has taken, among the next so many that have ever had a
 * webhook.
 */
export async function selectBehind(
  database: Database,
  after: string | undefined,
  count: number,
): Promise<Behind> {
  if (await isSharded(database)) return selectBehindOnNodes(database, count);
  const [row] = await database.query<{ behind: string[] | null; next: string | null }>(sql`
    select array_agg(c.company_id::text) filter (where w.is_behind) as behind,
      case when count(*) = ${count} then max(c.company_id::text) end as next
    from (
      select company_id, last_event from event_cursors
      where company_id > ${after ?? "00000000-0000-0000-0000-000000000000"}
      order by company_id limit ${count}
    ) as c
    cross join lateral (
      select i.last_event from books i where i.company_id = c.company_id limit 1
    ) as b
    left join lateral (
      select true as is_behind from webhooks i
      where c.last_event < b.last_event and i.company_id = c.company_id and i.disabled_at is null
      limit 1
    ) as w on true`);
  return { companyIds: row?.behind ?? [], next: row?.next ?? undefined };
}

/** The same where companies are on several nodes, each of which looks through its own: at once, and not in an order. */
async function selectBehindOnNodes(database: Database, count: number): Promise<Behind> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select distinct c.company_id from event_cursors c
      join books b on b.company_id = c.company_id and c.last_event < b.last_event
      join webhooks w on w.company_id = c.company_id and w.disabled_at is null
      where c.company_id ${which} limit ${count}`),
  );
  return { companyIds: rows.map((row) => row.company_id), next: undefined };
}
