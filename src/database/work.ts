import { randomUUID } from "node:crypto";
import type { Database, Tx } from "./database.ts";
import { sql } from "./sql.ts";

/** The kinds of work that wait in the table `work`, one row per company and kind. */
export type Queue = "transfers" | "charges" | "webhooks" | "logos";

const discoverMax = 50;

/** Companies with work that is ready and that nobody holds, the longest waiting first. */
export async function discoverWork(database: Database, queue: Queue): Promise<string[]> {
  const rows = await database.query<{ company_id: string }>(sql`
    select company_id from work
    where queue = ${queue} and ready_at <= now() and (leased_until is null or leased_until < now())
    order by ready_at
    limit ${discoverMax}`);
  return rows.map((row) => row.company_id);
}

/**
 * Takes a company; undefined when another worker was faster. Fifteen seconds: several times what a worker
 * does before it gives the company back, and all that a worker's sudden death can cost.
 */
export async function claimWork(
  database: Database,
  queue: Queue,
  companyId: string,
): Promise<string | undefined> {
  const leaseId = randomUUID();
  const rows = await database.query(sql`
    update work set leased_until = now() + interval '15 seconds', lease_id = ${leaseId}
    where company_id = ${companyId} and queue = ${queue} and (leased_until is null or leased_until < now())
    returning company_id`);
  return rows.length === 0 ? undefined : leaseId;
}

/**
 * Gives a company back, until its next work is due. The row is locked first and what is left is looked for
 * in the next statement: whoever adds work meanwhile waits for this lock and then finds the row gone or
 * freed, never a row that is about to be deleted unseen. A lease lost to another worker is not touched.
 */
export async function releaseWork(
  database: Database,
  queue: Queue,
  companyId: string,
  leaseId: string,
  nextDueMs: (tx: Tx) => Promise<number | undefined>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const held = await tx.query(sql`
      select 1 from work where company_id = ${companyId} and queue = ${queue} and lease_id = ${leaseId} for update`);
    if (held.length === 0) return;
    const dueMs = await nextDueMs(tx);
    if (dueMs === undefined) {
      await tx.query(sql`delete from work where company_id = ${companyId} and queue = ${queue}`);
    } else {
      await tx.query(sql`
        update work set leased_until = null, lease_id = null,
          ready_at = now() + make_interval(secs => ${dueMs / 1_000})
        where company_id = ${companyId} and queue = ${queue}`);
    }
  });
}

/** Gives a company back after a failure, to be tried again a little later. */
export async function postponeWork(
  database: Database,
  queue: Queue,
  companyId: string,
  leaseId: string,
  delayMs: number,
): Promise<void> {
  await database.query(sql`
    update work set leased_until = null, lease_id = null, ready_at = now() + make_interval(secs => ${delayMs / 1_000})
    where company_id = ${companyId} and queue = ${queue} and lease_id = ${leaseId}`);
}

/** How many companies wait in a queue and for how long the first has waited. */
export async function measureWork(
  database: Database,
  queue: Queue,
): Promise<{ depth: number; ageSeconds: number }> {
  const rows = await database.query<{ depth: number; age: number }>(sql`
    select count(*) as depth,
      coalesce(greatest(0, extract(epoch from now() - min(ready_at))), 0)::float8 as age
    from work where queue = ${queue} and ready_at <= now()`);
  return { depth: rows[0]?.depth ?? 0, ageSeconds: rows[0]?.age ?? 0 };
}
