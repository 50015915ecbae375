import type { Database, Queryable } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { AuditResult } from "./audit.ts";
import { type LastAudit, selectLastAudit, upsertLastAudit } from "./audit-store.ts";

export type { LastAudit } from "./audit-store.ts";

const channel = "audit_ended";
const shape = /^(\d{1,9}) (\d{1,9}(?:\.\d{1,3})?)$/;

/**
 * Tells the running nodes how an audit ended, for their metrics, and leaves it for operators to see. Nobody depends on it: the
 * exit code of the audit says the same.
 */
export async function tellAuditEnded(
  database: Database,
  signals: Signals,
  results: readonly AuditResult[],
  seconds: number,
): Promise<void> {
  let count = 0;
  for (const { differences } of results) count += differences.length;
  await signals.send(channel, `${count} ${seconds.toFixed(3)}`).catch(() => {});
  await upsertLastAudit(database, count, seconds).catch(() => {});
}

/** What /metrics shows of the last audit since this node began to listen; nothing before that. */
export function listenToAudits(signals: Signals, metrics: Metrics, nowMs = () => Date.now()): void {
  const endedAt = metrics.gauge(
    "cauri_audit_ended_timestamp_seconds",
    "When the last audit ended that this node heard of, in seconds since 1970.",
    "same",
  );
  const differences = metrics.gauge(
    "cauri_audit_differences",
    "Differences that it found; 0 means that the books are in order.",
    "same",
  );
  const duration = metrics.gauge("cauri_audit_duration_seconds", "How long it took.", "same");
  signals.on(channel, (payload) => {
    const [, count, seconds] = shape.exec(payload) ?? [];
    if (count === undefined || seconds === undefined) return;
    endedAt.set(Math.round(nowMs() / 1_000));
    differences.set(Number(count));
    duration.set(Number(seconds));
  });
}

/** How the last one ended, whichever machine it ran on; undefined when there was none. */
export function findLastAudit(database: Queryable): Promise<LastAudit | undefined> {
  return selectLastAudit(database);
}
