import type { Database, Tx } from "../database/database.ts";
import { findInParts, isSharded } from "../database/parts.ts";
import { sql } from "../database/sql.ts";
import type { QueueMeasure } from "./queue-measure.ts";

/** Companies whose work is ready and that no other worker holds, the longest waiting first. */
export async function selectReady(
  database: Database,
  queue: string,
  holderId: string,
  limit: number,
): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select company_id from work
      where company_id ${which} and queue = ${queue} and ready_at <= now()
        and (leased_until is null or leased_until < now() or lease_id = ${holderId})
      order by ready_at
      limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}

/**
 * Takes a company; false when it is not ready or another worker has it. A row that is locked is passed over
 * instead of waited for: whoever holds the lock gives a hint when done.
 */
export async function claimWork(
  database: Database,
  queue: string,
  companyId: string,
  holderId: string,
  leaseMs: number,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update work set leased_until = now() + make_interval(secs => ${leaseMs / 1_000}), lease_id = ${holderId}
    where company_id = ${companyId} and queue = ${queue} and (company_id, queue) in (
      select w.company_id, w.queue from work w
      where w.company_id = ${companyId} and w.queue = ${queue} and w.ready_at <= now()
        and (w.leased_until is null or w.leased_until < now() or w.lease_id = ${holderId})
      for update skip locked)
    returning company_id`);
  return rows.length > 0;
}

/** Makes a lease last from now on again; false when it is another's, or when the row is locked just now. */
export async function renewLease(
  database: Database,
  queue: string,
  companyId: string,
  holderId: string,
  leaseMs: number,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update work set leased_until = now() + make_interval(secs => ${leaseMs / 1_000})
    where company_id = ${companyId} and queue = ${queue} and (company_id, queue) in (
      select w.company_id, w.queue from work w
      where w.company_id = ${companyId} and w.queue = ${queue} and w.lease_id = ${holderId}
      for update skip locked)
    returning company_id`);
  return rows.length > 0;
}

/**
 * Gives a company back, until its next work is due, and answers in how many milliseconds that is. The row is
 * locked first and what is left is looked for in the next statement: whoever adds work meanwhile waits for this
 * lock and then finds the row gone or freed, never a row that is about to be deleted unseen. A lease that is
 * another worker's by now is not touched.
 */
export async function releaseWork(
  database: Database,
  queue: string,
  companyId: string,
  holderId: string,
  nextDueMs: (tx: Tx, companyId: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  return database.transaction(async (tx) => {
    const held = await tx.query(sql`
      select 1 from work where company_id = ${companyId} and queue = ${queue} and lease_id = ${holderId} for update`);
    if (held.length === 0) return undefined;
    const dueMs = await nextDueMs(tx, companyId);
    if (dueMs === undefined) {
      await tx.query(sql`delete from work where company_id = ${companyId} and queue = ${queue}`);
    } else {
      await tx.query(sql`
        update work set leased_until = null, lease_id = null,
          ready_at = now() + make_interval(secs => ${dueMs / 1_000})
        where company_id = ${companyId} and queue = ${queue}`);
    }
    return dueMs;
  });
}

/** Gives a company back after a failure, to be tried again a little later. */
export async function postponeWork(
  database: Database,
  queue: string,
  companyId: string,
  holderId: string,
  delayMs: number,
): Promise<void> {
  await database.execute(sql`
    update work set leased_until = null, lease_id = null, ready_at = now() + make_interval(secs => ${delayMs / 1_000})
    where company_id = ${companyId} and queue = ${queue} and lease_id = ${holderId}`);
}

export async function measureQueues(
  database: Database,
  queues: readonly string[],
): Promise<QueueMeasure[]> {
  if (await isSharded(database)) return measureQueuesOnNodes(database, queues);
  const rows = await database.query<{ queue: string; depth: number; age: number }>(sql`
    select q.queue, w.depth, coalesce(greatest(0, extract(epoch from now() - w.since)), 0)::float8 as age
    from unnest(${queues}::text[]) as q(queue)
    cross join lateral (
      select count(i.company_id) as depth, min(i.ready_at) as since from work i
      where i.queue = q.queue and i.ready_at <= now()
    ) as w`);
  return rows.map(({ queue, depth, age }) => ({ queue, depth, ageSeconds: age }));
}

/** The same where companies are on several nodes, of those that answer. */
async function measureQueuesOnNodes(
  database: Database,
  queues: readonly string[],
): Promise<QueueMeasure[]> {
  const found = await findInParts(database, (which) =>
    database.query<{ queue: string; depth: number; age: number }>(sql`
      select queue, count(*) as depth, extract(epoch from now() - min(ready_at))::float8 as age from work
      where company_id ${which} and queue = any(${queues}::text[]) and ready_at <= now()
      group by queue`),
  );
  return queues.map((queue) => {
    const rows = found.filter((row) => row.queue === queue);
    return {
      queue,
      depth: rows.reduce((sum, { depth }) => sum + depth, 0),
      ageSeconds: Math.max(0, ...rows.map(({ age }) => age)),
    };
  });
}

export interface OverdueWork {
  readonly companyId: string;
  readonly queue: string;
  readonly since: Date;
  /** A worker has it in hand, or had it a moment ago. */
  readonly isTaken: boolean;
}

/** What has been ready for so long, of all companies, the longest waiting first. */
export async function selectOverdue(
  database: Database,
  queues: readonly string[],
  seconds: number,
  limit: number,
): Promise<OverdueWork[]> {
  return findInParts(database, (which) =>
    database.query<OverdueWork>(sql`
      select company_id as "companyId", queue, ready_at as since, coalesce(leased_until > now(), false) as "isTaken"
      from work
      where company_id ${which} and queue = any(${queues}::text[])
        and ready_at < now() - make_interval(secs => ${seconds})
      order by ready_at limit ${limit}`),
  );
}
