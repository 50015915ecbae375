import type { Logger } from "pino";
import { bindCharges, findUnboundCompanies } from "../charges/bind-charges.ts";
import type { Database } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { chainEntries } from "./chain-trails.ts";
import { keepOlderDays } from "./keep-days.ts";
import type { UnboundKey } from "./key-bindings.ts";
import { openLedgerKey, readLedgerKeys } from "./ledger-key.ts";
import type { LedgerKey } from "./seal.ts";
import { type Sealing, sealNextDay } from "./seal-days.ts";
import { selectWaiting } from "./seals-store.ts";
import { extendTotals } from "./totals.ts";
import { sharedTrails } from "./trail-chain.ts";
import { selectUnchainedCompanies } from "./trail-chain-store.ts";

/** What the worker's log calls it. */
export const sealQueue = "seals";

/** Postings that may wait to be summed: readers walk them meanwhile. */
const unsummedMax = 5_000;
/** Days of one company that one turn seals: more are there only when no worker ran for long. */
const daysPerTurn = 10;

export interface BookKeeping extends Sealing {
  readonly logger: Logger;
  /** There is something to tell the company's receivers. */
  readonly onEvent: (companyId: string) => void;
}

/** Companies that have a day to seal, postings to sum, charges to bind or entries of the trail to chain. What is no company's is chained here. */
export async function waitingCompanies(
  { database, key }: Pick<Sealing, "database" | "key">,
  limit: number,
): Promise<readonly string[]> {
  for (const trail of sharedTrails) await chainEntries(database, key, trail);
  const waiting = await selectWaiting(database, unsummedMax, limit);
  const unbound = await findUnboundCompanies(database, limit);
  const unchained = await selectUnchainedCompanies(database, limit);
  return [...new Set([...waiting, ...unbound, ...unchained])];
}

/** The operator's key, for a service that starts: it names the keys that are not the operator's. */
export async function openSealingKey(
  logger: Logger,
  database: Database,
  box: SecretBox,
): Promise<LedgerKey> {
  const key = await openLedgerKey(database, box);
  logUnbound(logger, (await readLedgerKeys(database, key)).unbound);
  return key;
}

function logUnbound(logger: Logger, keys: readonly UnboundKey[]): void {
  for (const { id, why } of keys)
    logger.error(
      { keyId: id, why },
      "a ledger key is not bound to the operator's: it is not published, and no day is sealed; run cauri ledger-key list",
    );
}

/** Gives a company its turn. Answers 0 when more is left to do, undefined when nothing is. */
export async function sealCompany(
  keeping: BookKeeping,
  companyId: string,
  mayGoOn: () => boolean,
): Promise<number | undefined> {
  // Before the day is sealed, so that nothing of it is left out; and what is bound is an entry of the trail.
  await bindCharges(keeping.database, companyId, mayGoOn);
  await chainEntries(keeping.database, keeping.key, { companyId }, mayGoOn);
  const isMore = await extendTotals(keeping.database, companyId);
  if (!isMore) await keepOlderDays(keeping.database, companyId, mayGoOn);
  for (let days = 0; days < daysPerTurn; days += 1) {
    if (!mayGoOn()) return 0;
    const outcome = await sealNextDay(keeping, companyId);
    if (outcome.kind === "broken")
      keeping.logger.error(
        { companyId, ...outcome.link },
        "postings or a trail are not what was chained; this company is not sealed: run cauri audit",
      );
    if (outcome.kind === "unbound") logUnbound(keeping.logger, outcome.keys);
    if (outcome.kind !== "sealed") return isMore ? 0 : undefined;
    keeping.onEvent(companyId);
  }
  return 0;
}
