import type { Database, Queryable, Tx } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** An audit that has ended. */
export interface EndedAudit {
  readonly begunAt: Date;
  /** It looked at everything, and not only at what came since an earlier one. */
  readonly isFull: boolean;
  /** By name of the check: how many differences it found. */
  readonly differencesOf: Readonly<Record<string, number>>;
  /** The account that ran it. */
  readonly operator: string;
}

/**
 * Numbered one after the other, so that which one was later does not depend on a clock. What is written `beside` it is
 * committed with it.
 */
export async function insertAudit(
  database: Database,
  audit: EndedAudit,
  beside: (tx: Tx, number: number) => Promise<void> = async () => {},
): Promise<void> {
  const { begunAt, isFull, differencesOf, operator } = audit;
  const differences = Object.values(differencesOf).reduce((sum, count) => sum + count, 0);
  await database.transaction(async (tx) => {
    await tx.query(sql`lock table audits in share row exclusive mode`);
    const [last] = await tx.query<{ number: number }>(sql`
      select number from audits order by number desc limit 1`);
    const number = (last?.number ?? 0) + 1;
    await tx.query(sql`
      insert into audits (number, begun_at, ended_at, is_full, differences, checks, operator)
      values (
        ${number}, ${begunAt}, greatest(clock_timestamp(), ${begunAt}), ${isFull}, ${differences},
        ${JSON.stringify(differencesOf)}, ${operator})`);
    await beside(tx, number);
  });
}

/** What the audits say of the books. */
export interface AuditState {
  /** When the last one ended. */
  readonly endedAt: Date;
  readonly seconds: number;
  /** It looked at everything. */
  readonly isFull: boolean;
  /** When the last one ended that looked at everything; null: there was none. */
  readonly fullEndedAt: Date | null;
  /**
   * What the last one found that was not clean, until one that looked at everything is clean: neither time nor a restart makes a
   * difference go away. 0 means that the books are in order.
   */
  readonly differences: number;
}

export async function selectAuditState(database: Queryable): Promise<AuditState | undefined> {
  const [row] = await database.query<AuditState>(sql`
    select a.ended_at as "endedAt", extract(epoch from a.ended_at - a.begun_at)::float8 as seconds,
      a.is_full as "isFull",
      (select f.ended_at from audits f where f.is_full order by f.number desc limit 1) as "fullEndedAt",
      coalesce((
        select f.differences from audits f
        where f.differences > 0 and f.number > coalesce((
          select c.number from audits c where c.is_full and c.differences = 0 order by c.number desc limit 1), 0)
        order by f.number desc limit 1), 0) as differences
    from audits a order by a.number desc limit 1`);
  return row;
}
