import type { Queryable, Tx, Writable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { patienceMs } from "./delivery-policy.ts";
import type { NumberRange, ReplayRange } from "./replay-store.ts";

/** The queue of the table `work` that replays are in. */
export const replayQueue = "replays";

/** A range of deliveries that somebody has asked for again, and how far that is. */
export interface Replay extends ReplayRange {
  readonly id: string;
  readonly webhookId: string;
  readonly firstEvent: number;
  readonly nextEvent: number;
  readonly endEvent: number;
  /** Deliveries that were put back to the start of their schedule. */
  readonly queued: number;
  readonly endedAt: Date | null;
  /** The webhook was deleted or disabled before the end. */
  readonly isStopped: boolean;
}

const columns = sql`
  id, webhook_id as "webhookId", since, until, failed_only as "failedOnly", first_event as "firstEvent",
  next_event as "nextEvent", end_event as "endEvent", queued, ended_at as "endedAt", is_stopped as "isStopped"`;

/** False: another one of this webhook is under way. */
export async function insertReplay(
  tx: Tx,
  companyId: string,
  replay: ReplayRange & { readonly id: string; readonly webhookId: string },
  { first, end }: NumberRange,
  askedBy: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into replays as r (
      company_id, id, webhook_id, since, until, failed_only, first_event, next_event, end_event, asked_by)
    values (${companyId}, ${replay.id}, ${replay.webhookId}, ${replay.since}, ${replay.until}, ${replay.failedOnly},
      ${first}, ${first}, ${end}, ${askedBy})
    on conflict (company_id, webhook_id) where ended_at is null do nothing
    returning r.id`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    insert into work as w (company_id, queue, ready_at) values (${companyId}, ${replayQueue}, now())
    on conflict (company_id, queue) do update set ready_at = least(w.ready_at, excluded.ready_at)`);
  return true;
}

export async function selectReplay(
  database: Queryable,
  companyId: string,
  webhookId: string,
  id: string,
): Promise<Replay | undefined> {
  const rows = await database.query<Replay>(sql`
    select ${columns} from replays
    where company_id = ${companyId} and id = ${id} and webhook_id = ${webhookId}`);
  return rows[0];
}

/** The newest of a webhook. */
export async function selectReplays(
  database: Queryable,
  companyId: string,
  webhookId: string,
  limit: number,
): Promise<Replay[]> {
  return database.query<Replay>(sql`
    select ${columns} from replays where company_id = ${companyId} and webhook_id = ${webhookId}
    order by id desc limit ${limit}`);
}

/** Those that are under way; a webhook has one at most. */
export async function selectUnderWay(
  database: Queryable,
  companyId: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from replays where company_id = ${companyId} and ended_at is null order by webhook_id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** For whoever goes on with it; undefined: it is over. */
export async function lockReplay(
  tx: Tx,
  companyId: string,
  id: string,
): Promise<Replay | undefined> {
  const rows = await tx.query<Replay>(sql`
    select ${columns} from replays where company_id = ${companyId} and id = ${id} and ended_at is null for update`);
  return rows[0];
}

/** See requeue_deliveries; undefined: the webhook is not in service. */
export async function requeueWithin(
  tx: Tx,
  companyId: string,
  webhookId: string,
  eventNumbers: readonly number[],
): Promise<number | undefined> {
  const rows = await tx.query<{ count: number | null }>(sql`
    select requeue_deliveries(${companyId}, ${webhookId}, ${eventNumbers}::bigint[], ${patienceMs}) as count`);
  return rows[0]?.count ?? undefined;
}

export async function moveReplay(
  tx: Tx,
  companyId: string,
  id: string,
  step: { readonly next: number; readonly queued: number; readonly isOver: boolean },
): Promise<void> {
  await tx.query(sql`
    update replays set next_event = ${step.next}, queued = queued + ${step.queued}
    where company_id = ${companyId} and id = ${id}`);
  if (step.isOver) await endReplay(tx, companyId, id, false);
}

export async function endReplay(
  tx: Tx,
  companyId: string,
  id: string,
  isStopped: boolean,
): Promise<void> {
  await tx.query(sql`
    update replays set ended_at = now(), is_stopped = ${isStopped}
    where company_id = ${companyId} and id = ${id}`);
}

/** Those that ended so long ago; a webhook has few. */
export async function deleteOldReplays(
  database: Writable,
  companyId: string,
  days: number,
): Promise<void> {
  await database.execute(sql`
    delete from replays where company_id = ${companyId} and ended_at < now() - make_interval(days => ${days})`);
}
