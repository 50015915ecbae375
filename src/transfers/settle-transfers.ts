import type { Logger } from "pino";
import type { WalletPolicy } from "../customers/customer.ts";
import type { Database } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import type { Counter, Histogram } from "../kernel/metrics.ts";
import { frozenState } from "../ledger/errors.ts";
import type { QueueMeasure } from "../queues/queue-measure.ts";
import {
  type PendingCompany,
  type SettleRequest,
  selectOldestPending,
  selectPendingCompanies,
  selectPendingMeasure,
  selectPendingSince,
  settle,
} from "./settle-store.ts";
import type { SettlementTraces } from "./trace-settlement.ts";

/** What hints about transfers to settle are called. */
export const transferQueue = "transfers";

export type { PendingCompany } from "./settle-store.ts";

export interface Settlement {
  readonly database: Database;
  readonly policy: WalletPolicy;
  readonly logger: Logger;
  /** Settled transfers by outcome. */
  readonly settled: Counter;
  /** How many a set had, and how long it took. */
  readonly sizes?: Histogram;
  readonly seconds?: Histogram;
  /** Undefined: no traces are recorded. */
  readonly traces?: SettlementTraces | undefined;
}

const setSize = 500;
const setsMax = 10;
/** A wallet or the books are in other hands: not long, as a rule. */
const busyPauseMs = 50;
const lockNotAvailable = "55P03";

/** Companies that have transfers to settle. */
export async function findPending(database: Database, limit: number): Promise<readonly string[]> {
  return selectPendingCompanies(database, limit);
}

const measuredMax = 1_000;

/** Companies whose transfers wait, the longest waiting first; of more than a thousand, some of them. */
export async function findPendingCompanies(
  database: Database,
  limit: number,
): Promise<PendingCompany[]> {
  const companyIds = await selectPendingCompanies(database, measuredMax);
  return companyIds.length === 0 ? [] : selectPendingSince(database, companyIds, limit);
}

/**
 * For /metrics: how many companies have transfers to settle, counted up to a thousand, for how long one has waited, and how much
 * money that is.
 */
export async function measurePending(
  database: Database,
): Promise<QueueMeasure & { readonly inFlightFrancs: number }> {
  const { depth, age, in_flight } = await selectPendingMeasure(database, measuredMax);
  const ageSeconds = Math.max(0, age ?? 0);
  return { queue: transferQueue, depth, ageSeconds, inFlightFrancs: in_flight ?? 0 };
}

/**
 * Settles a bounded part of what a company has pending, oldest first. Answers in how many milliseconds there is more to
 * do; undefined: nothing is left, or somebody else is at it.
 */
export async function settleCompany(
  settlement: Settlement,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<number | undefined> {
  for (let set = 0; set < setsMax && mayGoOn(); set += 1) {
    const { lookedAt, busy } = await settleSet(settlement, { companyId, limit: setSize });
    // What others hold is waited for once everything else is done, in turn with whoever else waits for it.
    if (busy > 0) return settleHeld(settlement, companyId);
    if (lookedAt === undefined || lookedAt < setSize) return undefined;
  }
  return 0;
}

async function settleHeld(settlement: Settlement, companyId: string): Promise<number> {
  await settleSet(settlement, { companyId, limit: setSize, isPatient: true });
  return busyPauseMs;
}

/** One set in one transaction. */
async function settleSet(
  settlement: Settlement,
  request: SettleRequest,
): Promise<{ readonly lookedAt: number | undefined; readonly busy: number }> {
  const { database, policy, logger, settled, traces } = settlement;
  const end = traces?.begin(request.companyId);
  const begunMs = performance.now();
  try {
    const { looked_at, busy, reasons } = await settle(database, policy, request);
    end?.(looked_at);
    if (looked_at !== null && looked_at > 0) {
      settlement.sizes?.observe(looked_at);
      settlement.seconds?.observe((performance.now() - begunMs) / 1_000, { set: "settlement" });
    }
    for (const reason of reasons ?? []) settled.add({ outcome: reason ?? "completed" });
    return { lookedAt: looked_at ?? undefined, busy: busy ?? 0 };
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return { lookedAt: undefined, busy: request.limit };
    // Frozen under way: nothing was credited, and the next look ends the same transfers as failed.
    if (sqlState(error) === frozenState) return { lookedAt: request.limit, busy: 0 };
    if (!isPermanent(error) || request.only !== undefined) throw error;
    const { companyId } = request;
    logger.error(
      { err: error, companyId },
      "a set could not be settled; settling its transfers one by one",
    );
    return { lookedAt: await settleOneByOne(settlement, companyId, request.limit), busy: 0 };
  }
}

/** The data itself is refused (a constraint, a bad value): trying again would fail again. */
function isPermanent(error: unknown): boolean {
  return /^(?:22|23|P0|CA)/.test(sqlState(error) ?? "");
}

async function settleOneByOne(
  settlement: Settlement,
  companyId: string,
  limit: number,
): Promise<number> {
  for (let count = 0; count < limit; count += 1) {
    const id = await selectOldestPending(settlement.database, companyId);
    if (id === undefined) return count;
    const one = { companyId, limit: 1, only: id };
    const { lookedAt, busy } = await settleSet(settlement, one).catch((error: unknown) =>
      failTransfer(settlement, one, error),
    );
    if (lookedAt === undefined || busy > 0) return count;
  }
  return limit;
}

/**
 * A transfer that cannot be settled ends with INTERNAL_ERROR and its money goes back, so that it does not hold up those
 * behind it. Nothing was credited: what failed was rolled back whole. If somebody else has ended it meanwhile, nothing
 * happens.
 */
async function failTransfer(settlement: Settlement, request: SettleRequest, cause: unknown) {
  if (!isPermanent(cause)) throw cause;
  const { companyId, only: transferId } = request;
  settlement.logger.error(
    { err: cause, companyId, transferId },
    "a transfer could not be settled; its money goes back",
  );
  return settleSet(settlement, { ...request, force: "INTERNAL_ERROR" });
}
