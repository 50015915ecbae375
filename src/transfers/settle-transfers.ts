import type { Logger } from "pino";
import type { Company } from "../companies/company.ts";
import { findCompany, findSubCompanies } from "../companies/find-company.ts";
import type { SubCompany } from "../companies/sub-company.ts";
import { creditWallets } from "../customers/credit-wallets.ts";
import type { WalletPolicy } from "../customers/customer.ts";
import type { NewWalletEntry } from "../customers/wallet-entry.ts";
import type { Database, Tx } from "../database/database.ts";
import { sqlState } from "../database/errors.ts";
import { sql } from "../database/sql.ts";
import type { Counter } from "../kernel/metrics.ts";
import { toDigits } from "../kernel/msisdn.ts";
import { hasPending, selectPending, settle } from "./store.ts";
import { toTransferPayload } from "./transaction.ts";
import { type FailureReason, serviceReferenceOf, type Transfer } from "./transfer.ts";

export interface Settlement {
  readonly database: Database;
  readonly policy: WalletPolicy;
  readonly logger: Logger;
  /** Settled transfers by outcome. */
  readonly settled: Counter;
}

const setSize = 500;
const setsMax = 10;

/** Settles a bounded part of what a company has pending, oldest first. */
export async function settleCompany(settlement: Settlement, companyId: string): Promise<void> {
  for (let set = 0; set < setsMax; set += 1) {
    const taken = await settleSet(settlement, companyId, setSize);
    if (taken < setSize) return;
  }
}

/** Now, when a company still has something to settle. */
export async function nextSettlementMs(tx: Tx, companyId: string): Promise<number | undefined> {
  return (await hasPending(tx, companyId)) ? 0 : undefined;
}

/**
 * Settles one set in one transaction: wallets first, the company's books last, because the books are what
 * accepting new transfers waits for. Returns how many were taken.
 */
async function settleSet(
  settlement: Settlement,
  companyId: string,
  limit: number,
): Promise<number> {
  try {
    const { taken, settled } = await settlement.database.transaction(async (tx) => {
      const company = await findCompany(tx, companyId);
      const pending = company === undefined ? [] : await selectPending(tx, companyId, limit);
      if (company === undefined || pending.length === 0) return { taken: 0, settled: [] };
      return {
        taken: pending.length,
        settled: await settleTaken(settlement, tx, company, pending),
      };
    });
    for (const { reason } of settled) settlement.settled.add({ outcome: reason ?? "completed" });
    return taken;
  } catch (error) {
    if (!isPermanent(error)) throw error;
    if (limit === 1) return failOldest(settlement, companyId, error);
    settlement.logger.error(
      { err: error, companyId },
      "a set could not be settled; settling one by one",
    );
    let taken = 0;
    while (taken < limit && (await settleSet(settlement, companyId, 1)) === 1) taken += 1;
    return taken;
  }
}

/** The data itself is refused (a constraint, a bad value): trying again would fail again. */
function isPermanent(error: unknown): boolean {
  return /^(?:22|23|P0|CA)/.test(sqlState(error) ?? "");
}

async function settleTaken(
  settlement: Settlement,
  tx: Tx,
  company: Company,
  pending: readonly Transfer[],
) {
  const now = await databaseNow(tx);
  const subCompanies = await subCompaniesOf(tx, company, pending);
  const credits = pending.map((transfer) => toCredit(company, subCompanies, transfer));
  const refusals = await creditWallets(tx, settlement.policy, "transfer.completed", credits);
  const outcomes = pending.map((transfer) =>
    outcomeOf(transfer, now, refusals.get(transfer.id) ?? null),
  );
  return settle(tx, company.id, now, outcomes);
}

/**
 * The oldest pending transfer cannot be settled: it ends with INTERNAL_ERROR and its money goes back, so
 * that it does not hold up those behind it. Nothing was credited: what failed was rolled back whole.
 */
async function failOldest(
  settlement: Settlement,
  companyId: string,
  cause: unknown,
): Promise<number> {
  const failed = await settlement.database.transaction(async (tx) => {
    const [transfer] = await selectPending(tx, companyId, 1);
    if (transfer === undefined) return undefined;
    const now = await databaseNow(tx);
    await settle(tx, companyId, now, [outcomeOf(transfer, now, "INTERNAL_ERROR")]);
    return transfer;
  });
  if (failed === undefined) return 0;
  settlement.logger.error(
    { err: cause, companyId, transferId: failed.id },
    "a transfer could not be settled; its money went back",
  );
  settlement.settled.add({ outcome: "INTERNAL_ERROR" });
  return 1;
}

function outcomeOf(transfer: Transfer, now: Date, reason: FailureReason | null) {
  const ended: Transfer =
    reason === null
      ? { ...transfer, status: "completed", failureReason: null, updatedAt: now }
      : { ...transfer, status: "failed", failureReason: reason, updatedAt: now };
  return { id: transfer.id, reason, payload: toTransferPayload(ended) };
}

function toCredit(
  company: Company,
  subCompanies: ReadonlyMap<string, SubCompany>,
  transfer: Transfer,
): NewWalletEntry {
  return {
    msisdn: toDigits(transfer.msisdn),
    subjectId: transfer.id,
    amount: transfer.amount,
    companyId: company.id,
    companyName: company.name,
    subCompany:
      transfer.subCompanyId === null ? undefined : subCompanies.get(transfer.subCompanyId),
    serviceReference: serviceReferenceOf(transfer),
    description: transfer.description,
  };
}

async function subCompaniesOf(
  tx: Tx,
  company: Company,
  pending: readonly Transfer[],
): Promise<ReadonlyMap<string, SubCompany>> {
  const ids = new Set(
    pending.flatMap(({ subCompanyId }) => (subCompanyId === null ? [] : [subCompanyId])),
  );
  if (ids.size === 0) return new Map();
  const found = await findSubCompanies(tx, company.id, [...ids]);
  return new Map(found.map((subCompany) => [subCompany.id, subCompany]));
}

async function databaseNow(tx: Tx): Promise<Date> {
  const rows = await tx.query<{ now: Date }>(sql`select date_trunc('milliseconds', now()) as now`);
  return rows[0]?.now ?? new Date();
}
