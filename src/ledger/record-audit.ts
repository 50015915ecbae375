import type { Database, Queryable, Tx } from "../database/database.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { AuditResult } from "./audit.ts";
import { type AuditState, insertAudit, selectAuditState } from "./audit-store.ts";

export type { AuditState } from "./audit-store.ts";

/**
 * Leaves in the database how an audit ended: for operators, and for the metrics of every node. False when it could not be
 * written down, which does not make what was found less true.
 */
export async function recordAudit(
  database: Database,
  begunAt: Date,
  results: readonly AuditResult[],
  {
    operator,
    isFull,
    beside,
  }: {
    readonly operator: string;
    readonly isFull: boolean;
    /** Writes down what belongs to it. */
    readonly beside?: (tx: Tx, number: number) => Promise<void>;
  },
): Promise<boolean> {
  const differencesOf = Object.fromEntries(
    results.map(({ check, differences }) => [check, differences.length]),
  );
  try {
    await insertAudit(database, { begunAt, isFull, differencesOf, operator }, beside);
    return true;
  } catch {
    return false;
  }
}

/** What /metrics shows of the audits; nothing before the first. While the database is away, what it said last. */
export function auditGauges(database: Database, metrics: Metrics): () => Promise<void> {
  const endedAt = metrics.gauge(
    "cauri_audit_ended_timestamp_seconds",
    "When the last audit ended, in seconds since 1970.",
    "same",
  );
  const fullEndedAt = metrics.gauge(
    "cauri_audit_full_ended_timestamp_seconds",
    "When the last audit ended that looked at everything, in seconds since 1970.",
    "same",
  );
  const differences = metrics.gauge(
    "cauri_audit_differences",
    "Differences that were found and that no later audit has found gone; 0 means that the books are in order.",
    "same",
  );
  const duration = metrics.gauge(
    "cauri_audit_duration_seconds",
    "How long the last audit took.",
    "same",
  );
  return async () => {
    const state = await selectAuditState(database);
    if (state === undefined) return;
    endedAt.set(Math.round(state.endedAt.getTime() / 1_000));
    if (state.fullEndedAt !== null)
      fullEndedAt.set(Math.round(state.fullEndedAt.getTime() / 1_000));
    differences.set(state.differences);
    duration.set(state.seconds);
  };
}

/** What the audits say, whichever machine they ran on; undefined when there was none. */
export function findAuditState(database: Queryable): Promise<AuditState | undefined> {
  return selectAuditState(database);
}
