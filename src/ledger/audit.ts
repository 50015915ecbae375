import type { Database, Tx } from "../database/database.ts";
import { type Query, sql } from "../database/sql.ts";

/** One thing that must hold, looked at over everything there is. */
export interface AuditCheck {
  readonly name: string;
  /** Returns what does not hold, at most `differencesMax` of it. */
  readonly find: (tx: Tx) => Promise<Difference[]>;
  /** How many things it looked at, so that an empty answer can be told from an empty database. */
  readonly count: (tx: Tx) => Promise<number>;
}

export interface Difference {
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

export interface AuditResult {
  readonly check: string;
  readonly examined: number;
  readonly differences: readonly Difference[];
}

export const differencesMax = 100;

/**
 * Runs every check on one snapshot of the database, so that work in progress is seen whole or not at all.
 * It reads everything once; no request path does.
 */
export async function audit(
  database: Database,
  checks: readonly AuditCheck[],
): Promise<AuditResult[]> {
  return database.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`);
    // Everything is read once and joined by hash, by all columns that must be equal. Where nothing is analysed yet, the
    // planner would go row by row, or merge by the company alone and compare each row of it with every other.
    await tx.query(sql`set local enable_seqscan = on`);
    await tx.query(sql`set local enable_nestloop = off`);
    await tx.query(sql`set local enable_mergejoin = off`);
    const results: AuditResult[] = [];
    for (const check of checks) {
      results.push({
        check: check.name,
        examined: await check.count(tx),
        differences: await check.find(tx),
      });
    }
    return results;
  });
}

/** The one number that a query counts. */
export async function countOf(tx: Tx, query: Query): Promise<number> {
  return (await tx.query<{ count: number }>(query))[0]?.count ?? 0;
}
