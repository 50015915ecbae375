import type { Tx } from "../database/database.ts";
import { type WalletPolicy, walletMaxOf } from "./customer.ts";
import type { NewWalletEntry } from "./wallet-entry.ts";
import {
  addToWallets,
  insertEntries,
  insertTestWallet,
  type LockedWallet,
  lockWallets,
  selectCredited,
} from "./wallets-store.ts";

export type CreditRefusal = "SERVICE_ACCOUNT_NOT_FOUND" | "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT";

/**
 * Credits wallets, in the order given: several credits to one wallet respect its ceiling one after the
 * other. Returns why a credit was refused, by subject; those not in the answer are in the wallet. A
 * subject that was credited before is neither credited again nor refused.
 */
export async function creditWallets(
  tx: Tx,
  policy: WalletPolicy,
  event: string,
  credits: readonly NewWalletEntry[],
): Promise<Map<string, CreditRefusal>> {
  const wallets = await lockedWallets(tx, policy, credits);
  const alreadyCredited = await selectCredited(tx, event, credits);

  const refusals = new Map<string, CreditRefusal>();
  const accepted: NewWalletEntry[] = [];
  const additions = new Map<string, number>();
  for (const credit of credits) {
    if (alreadyCredited.has(credit.subjectId)) continue;
    const added = additions.get(credit.msisdn) ?? 0;
    const refusal = refusalOf(wallets.get(credit.msisdn), added + credit.amount, policy);
    if (refusal !== undefined) {
      refusals.set(credit.subjectId, refusal);
    } else {
      accepted.push(credit);
      additions.set(credit.msisdn, added + credit.amount);
    }
  }
  if (accepted.length > 0) {
    await insertEntries(tx, event, accepted);
    await addToWallets(tx, additions);
  }
  return refusals;
}

async function lockedWallets(
  tx: Tx,
  policy: WalletPolicy,
  credits: readonly NewWalletEntry[],
): Promise<ReadonlyMap<string, LockedWallet>> {
  const msisdns = new Set(credits.map((credit) => credit.msisdn));
  const test = policy.testMsisdns;
  // Before any lock is held, so that two settlements that both make it wait for each other only here.
  if (test !== undefined && msisdns.has(test.success)) await insertTestWallet(tx, test.success);
  if (test !== undefined) msisdns.delete(test.failure);
  const wallets = await lockWallets(tx, [...msisdns].toSorted());
  return new Map(wallets.map((wallet) => [wallet.msisdn, wallet]));
}

function refusalOf(
  wallet: LockedWallet | undefined,
  added: number,
  policy: WalletPolicy,
): CreditRefusal | undefined {
  if (wallet === undefined) return "SERVICE_ACCOUNT_NOT_FOUND";
  if (wallet.msisdn === policy.testMsisdns?.success) return undefined;
  if (wallet.kyc_status === null) return "SERVICE_ACCOUNT_NOT_FOUND";
  const max = walletMaxOf({ kycStatus: wallet.kyc_status, balanceMax: wallet.balance_max }, policy);
  return wallet.balance + added > max ? "TRANSACTION_AMOUNT_OVER_ACCOUNT_LIMIT" : undefined;
}
