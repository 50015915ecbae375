import assert from "node:assert/strict";
import type { Tx } from "../database/database.ts";
import type { WalletPolicy } from "./customer.ts";
import { WalletFrozen } from "./errors.ts";
import type { NewWalletEntry } from "./wallet-entry.ts";
import { insertEntry, insertTestWallet, type LockedWallet, lockWallet } from "./wallets-store.ts";

export type DebitRefusal = "ACCOUNT_NOT_FOUND" | "INSUFFICIENT_FUNDS" | "DECLINED";

/** Who is to pay, with the wallet locked until the transaction ends. */
export interface Payer {
  readonly msisdn: string;
  readonly wallet: LockedWallet | undefined;
}

/** Comes before every lock on the company's side, as everywhere: settlements lock wallets first too. */
export async function lockPayer(tx: Tx, policy: WalletPolicy, msisdn: string): Promise<Payer> {
  const test = policy.testMsisdns;
  if (msisdn === test?.failure) return { msisdn, wallet: undefined };
  if (msisdn === test?.success) await insertTestWallet(tx, msisdn);
  return { msisdn, wallet: await lockWallet(tx, msisdn) };
}

/** Why this payer cannot pay so much; undefined when nothing stands in the way. */
export function findDebitRefusal(
  policy: WalletPolicy,
  { msisdn, wallet }: Payer,
  amount: number,
): DebitRefusal | undefined {
  const test = policy.testMsisdns;
  if (msisdn === test?.failure || wallet?.is_frozen === true) return "DECLINED";
  // Test money has no floor.
  if (msisdn === test?.success) return undefined;
  if (wallet === undefined || wallet.kyc_status === null) return "ACCOUNT_NOT_FOUND";
  return wallet.balance < amount ? "INSUFFICIENT_FUNDS" : undefined;
}

/** Moves an entry's amount into a locked wallet, or out of it when negative. */
export async function moveInWallet(
  tx: Tx,
  event: "charge.paid" | "charge.refunded",
  entry: NewWalletEntry,
): Promise<void> {
  await insertEntry(tx, event, entry);
}

/**
 * Locks the wallet that gets its own money back. Ceilings do not matter here: what was paid was the
 * payer's, and there is nowhere else it could go. See docs/decisions/0052-refund-above-the-ceiling.md.
 * Throws WalletFrozen: nothing goes into a frozen wallet.
 */
export async function lockPaidFrom(tx: Tx, msisdn: string): Promise<void> {
  const wallet = await lockWallet(tx, msisdn);
  assert(wallet !== undefined, "whoever paid has a wallet");
  if (wallet.is_frozen) throw new WalletFrozen();
}
