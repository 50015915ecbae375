import { companyIdPrefix } from "../companies/company.ts";
import { getCompany } from "../companies/find-company.ts";
import type { Database } from "../database/database.ts";
import type { Signals } from "../database/signals.ts";
import { toPublicId } from "../kernel/ids.ts";
import { findOverdue } from "../queues/queue-gauges.ts";
import { sendHint } from "../queues/work-hints.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { findPendingCompanies, transferQueue } from "../transfers/settle-transfers.ts";
import { webhookQueue } from "../webhooks/dispatcher.ts";
import { workQueues } from "./read-health.ts";

/** What waits longer than this is somebody's to look at. */
export const stuckAfterSeconds = 60;
const listedMax = 100;

/** Work of a company that nobody does. */
export interface StuckWork {
  readonly companyId: string;
  readonly queue: string;
  readonly since: Date;
  /** Money of transfers that wait; undefined for what is not about transfers. */
  readonly inFlight: number | undefined;
  /** A worker has it in hand just now. */
  readonly isTaken: boolean;
}

/** Queues that can be woken for a company. */
export const wakeableQueues: readonly string[] = [transferQueue, webhookQueue, ...workQueues];

/** What has waited too long, of all companies, the longest first. */
export async function findStuckWork(database: Database, now: Date): Promise<StuckWork[]> {
  const pending = await findPendingCompanies(database, listedMax);
  const overdue = await findOverdue(database, workQueues, stuckAfterSeconds, listedMax);
  const sinceMs = now.getTime() - stuckAfterSeconds * 1_000;
  return [
    ...pending
      .filter(({ since }) => since.getTime() <= sinceMs)
      .map((company) => ({ ...company, queue: transferQueue, isTaken: false })),
    ...overdue.map((work) => ({ ...work, inFlight: undefined })),
  ]
    .toSorted((one, other) => one.since.getTime() - other.since.getTime())
    .slice(0, listedMax);
}

/**
 * Has the workers of every node look at a company's work at once, as they do by themselves when they hear of it. It does
 * nothing else, so it can be repeated: what is done, and by whom, is decided where it always is.
 */
export async function wakeWork(
  { database, signals }: { readonly database: Database; readonly signals: Signals },
  {
    companyId,
    queue,
    reason,
  }: { readonly companyId: string; readonly queue: string; readonly reason: string },
  by: ConsolePerson,
): Promise<void> {
  await database.transaction(async (tx) => {
    await getCompany(tx, companyId);
    await recordForCompany(tx, companyId, by, {
      action: "company.work_woken",
      subject: toPublicId(companyIdPrefix, companyId),
      to: { queue, reason },
    });
  });
  await sendHint(signals, queue, [companyId]);
}
