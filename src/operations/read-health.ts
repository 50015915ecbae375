import { proposalQueue } from "../approvals/carry-out.ts";
import { chargeQueue } from "../charges/expire-charges.ts";
import { logoQueue } from "../companies/fetch-logos.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import {
  type ConnectedProcess,
  type LockWaits,
  readLockWaits,
  readNodes,
} from "../database/read-nodes.ts";
import { type AuditState, findAuditState } from "../ledger/record-audit.ts";
import { type BudgetState, readBudgets } from "../messages/measure-budgets.ts";
import { measureWork } from "../queues/queue-gauges.ts";
import type { QueueMeasure } from "../queues/queue-measure.ts";
import { measurePending } from "../transfers/settle-transfers.ts";
import {
  type DeliveryMeasures,
  measureDeliveries,
  measureTelling,
} from "../webhooks/measure-deliveries.ts";

/** What an operator looks at first. It is what /metrics says, asked for in the same ways. */
export interface Health {
  readonly queues: readonly QueueMeasure[];
  readonly inFlightFrancs: number;
  readonly deliveries: DeliveryMeasures;
  readonly lastAudit: AuditState | undefined;
  readonly nodes: readonly ConnectedProcess[];
  readonly locks: LockWaits;
  /** Servers of DATABASE_URL that could not be used when this process tried them last. */
  readonly serverProblems: number;
  readonly connections: Database["connections"];
  readonly budgets: readonly BudgetState[];
}

/** Queues whose work stands in the table `work`. */
export const workQueues: readonly string[] = [chargeQueue, proposalQueue, logoQueue];

export async function readHealth(
  database: Database,
  config: Pick<Config, "messageBudgets" | "messageCountries">,
): Promise<Health> {
  const { inFlightFrancs, ...transfers } = await measurePending(database);
  return {
    queues: [
      transfers,
      await measureTelling(database),
      ...(await measureWork(database, workQueues)),
    ],
    inFlightFrancs,
    deliveries: await measureDeliveries(database),
    lastAudit: await findAuditState(database),
    nodes: await readNodes(database),
    locks: await readLockWaits(database),
    serverProblems: database.servers.problems.length,
    connections: database.connections,
    budgets: await readBudgets(database, config),
  };
}
