import type { WalletPolicy } from "../customers/customer.ts";
import type { Database, Queryable } from "../database/database.ts";
import { findInParts, isSharded } from "../database/parts.ts";
import { sql } from "../database/sql.ts";
import type { FailureReason } from "./transfer.ts";

/** How much of what a company has pending is settled by one call, and how. */
export interface SettleRequest {
  readonly companyId: string;
  readonly limit: number;
  /** This one alone, instead of the oldest. */
  readonly only?: string;
  /** Ends what is found with this reason, whatever its wallets say. */
  readonly force?: FailureReason;
  /** Waits for wallets that others hold, instead of passing over their transfers. */
  readonly isPatient?: boolean;
}

export interface Settled {
  /** Null: somebody else is settling this company. */
  readonly looked_at: number | null;
  /** How many of them stay pending, because others hold their wallets. */
  readonly busy: number | null;
  /** One for each that ended; null: completed. */
  readonly reasons: readonly (FailureReason | null)[] | null;
}

/** No lock is waited for longer: who is held up gives back what it holds, and tries again. */
const patienceMs = 1_000;

/** One bare call that commits by itself: see settle_transfers. */
export async function settle(
  database: Database,
  { walletMax, testMsisdns }: WalletPolicy,
  { companyId, limit, only, force, isPatient }: SettleRequest,
): Promise<Settled> {
  const [row] = await database.execute<Settled>(sql`
    select looked_at, busy, reasons::text[] from settle_transfers(
      ${companyId}, ${limit}, ${only ?? null}, ${force ?? null}, ${isPatient ?? false}, ${patienceMs},
      ${walletMax.complete}, ${walletMax.otherwise}, ${testMsisdns?.success ?? null},
      ${testMsisdns?.failure ?? null})`);
  if (row === undefined) throw new Error("settle_transfers answers one row");
  return row;
}

export async function selectOldestPending(
  database: Queryable,
  companyId: string,
): Promise<string | undefined> {
  const rows = await database.query<{ id: string }>(sql`
    select q.id from settling s
    cross join lateral (
      select p.id from pending_transfers p
      where p.company_id = ${companyId} and p.id > s.settled_upto order by p.id limit 1
    ) as q
    where s.company_id = ${companyId}`);
  return rows[0]?.id;
}

/** Companies that have something pending: one step along the queue's index for each, however much they have. */
export async function selectPendingCompanies(database: Database, limit: number): Promise<string[]> {
  if (await isSharded(database)) return selectPendingOnNodes(database, limit);
  const rows = await database.query<{ company_id: string }>(sql`
    with recursive waiting as (
      (select company_id from pending_transfers order by company_id limit 1)
      union all
      select (
        select p.company_id from pending_transfers p
        where p.company_id > w.company_id order by p.company_id limit 1)
      from waiting w where w.company_id is not null
    )
    select company_id from waiting where company_id is not null limit ${limit}`);
  return rows.map((row) => row.company_id);
}

/** The same where companies are on several nodes, each of which looks through its own. */
async function selectPendingOnNodes(database: Database, limit: number): Promise<string[]> {
  const rows = await findInParts(database, (which) =>
    database.query<{ company_id: string }>(sql`
      select distinct company_id from pending_transfers where company_id ${which} limit ${limit}`),
  );
  return rows.map((row) => row.company_id);
}

/** The same, measured: how many, for how many seconds the first has waited (since it was let go, if it was held), and what they have in flight. */
export async function selectPendingMeasure(
  database: Database,
  limit: number,
): Promise<{
  readonly depth: number;
  readonly age: number | null;
  readonly in_flight: number | null;
}> {
  if (await isSharded(database)) return measurePendingOnNodes(database);
  const rows = await database.query<{
    depth: number;
    age: number | null;
    in_flight: number | null;
  }>(sql`
    with recursive waiting as (
      (select company_id from pending_transfers order by company_id limit 1)
      union all
      select (
        select p.company_id from pending_transfers p
        where p.company_id > w.company_id order by p.company_id limit 1)
      from waiting w where w.company_id is not null
    ), counted as (
      select company_id from waiting where company_id is not null limit ${limit}
    )
    select count(*) as depth, sum(b.in_flight)::bigint as in_flight,
      extract(epoch from clock_timestamp() - min(q.since))::float8 as age
    from counted c
    cross join lateral (
      select i.in_flight from books i where i.company_id = c.company_id limit 1
    ) as b
    left join lateral (
      select p.id from pending_transfers p
      where p.company_id = c.company_id order by p.id limit 1
    ) as p on true
    left join lateral (
      select time_of_id(coalesce(
        (select i.decision_id from held_transfers i where i.company_id = c.company_id and i.id = p.id limit 1), p.id)) as since
    ) as q on true`);
  return rows[0] ?? { depth: 0, age: null, in_flight: null };
}

/** The same where companies are on several nodes, of those that answer. */
async function measurePendingOnNodes(database: Database) {
  const rows = await findInParts(database, (which) =>
    database.query<{ depth: number; age: number | null; in_flight: number | null }>(sql`
      select count(*) as depth, sum(b.in_flight)::bigint as in_flight,
        extract(epoch from clock_timestamp() - min(q.since))::float8 as age
      from (
        select p.company_id, min(time_of_id(coalesce(h.decision_id, p.id))) as since
        from pending_transfers p left join held_transfers h on h.company_id = p.company_id and h.id = p.id
        where p.company_id ${which}
        group by p.company_id
      ) as q
      join books b on b.company_id = q.company_id and b.company_id ${which}`),
  );
  return {
    depth: rows.reduce((sum, { depth }) => sum + depth, 0),
    age: Math.max(0, ...rows.map(({ age }) => age ?? 0)),
    in_flight: rows.reduce((sum, { in_flight }) => sum + (in_flight ?? 0), 0),
  };
}

export interface PendingCompany {
  readonly companyId: string;
  /** Of its oldest pending transfer; one that was held waits since it was let go. */
  readonly since: Date;
  readonly inFlight: number;
}

/** Of these companies, those that have something pending, the longest waiting first. */
export async function selectPendingSince(
  database: Database,
  companyIds: readonly string[],
  limit: number,
): Promise<PendingCompany[]> {
  if (await isSharded(database))
    return database.query<PendingCompany>(sql`
      select q.company_id as "companyId", b.in_flight as "inFlight", q.since
      from (
        select p.company_id, min(time_of_id(coalesce(h.decision_id, p.id))) as since
        from pending_transfers p left join held_transfers h on h.company_id = p.company_id and h.id = p.id
        where p.company_id = any(${companyIds}::uuid[]) group by p.company_id
      ) as q
      join books b on b.company_id = q.company_id
      order by q.since limit ${limit}`);
  return database.query<PendingCompany>(sql`
    select c.company_id as "companyId", b.in_flight as "inFlight", q.since
    from unnest(${companyIds}::uuid[]) as c(company_id)
    cross join lateral (
      select i.in_flight from books i where i.company_id = c.company_id limit 1
    ) as b
    cross join lateral (
      select i.id from pending_transfers i
      where i.company_id = c.company_id order by i.id limit 1
    ) as p
    cross join lateral (
      select time_of_id(coalesce(
        (select i.decision_id from held_transfers i where i.company_id = c.company_id and i.id = p.id limit 1), p.id)) as since
    ) as q
    order by q.since limit ${limit}`);
}
