import type { Database } from "../database/database.ts";
import { toDigits } from "../kernel/msisdn.ts";
import {
  isWalletFrozen,
  type KnownCustomer,
  type KycStatus,
  type WalletPolicy,
} from "./customer.ts";
import { selectCustomer, selectKnownCustomers } from "./store.ts";

export interface CustomerCheck {
  readonly kycStatus: KycStatus | "unknown";
  readonly firstName: string;
  readonly lastName: string;
}

/** One number of many, as it was asked for. */
export interface RecipientCheck extends CustomerCheck {
  readonly msisdn: string;
  /**
   * The most that this person's wallet may ever hold, and so the most that a transfer can bring; null: any amount. It says
   * nothing about what the wallet holds, which is nobody's business but its owner's.
   */
  readonly amountMax: number | null;
}

const notFound: CustomerCheck = { kycStatus: "unknown", firstName: "unknown", lastName: "unknown" };

/** Whether somebody could pay or sign in with this number (digits), so that a code is worth sending. */
export async function hasAccount(
  database: Database,
  { testMsisdns }: WalletPolicy,
  msisdn: string,
): Promise<boolean> {
  if (msisdn === testMsisdns?.success || msisdn === testMsisdns?.failure) return true;
  return (await selectCustomer(database, msisdn)) !== undefined;
}

/** Whether money sent to this number (digits) would find somebody, and whom. */
export async function checkCustomer(
  database: Database,
  policy: WalletPolicy,
  msisdn: string,
): Promise<CustomerCheck> {
  return checkOf(policy, msisdn, await selectCustomer(database, msisdn));
}

/** The same for many numbers, with or without a plus, in the order they are given. */
export async function checkCustomers(
  database: Database,
  policy: WalletPolicy,
  msisdns: readonly string[],
): Promise<RecipientCheck[]> {
  const digits = [...new Set(msisdns.map(toDigits))];
  const known = new Map(
    (await selectKnownCustomers(database, digits)).map((customer) => [customer.msisdn, customer]),
  );
  return msisdns.map((msisdn) => {
    const customer = known.get(toDigits(msisdn));
    return {
      msisdn,
      ...checkOf(policy, toDigits(msisdn), customer),
      amountMax: amountMaxOf(policy, toDigits(msisdn), customer),
    };
  });
}

function checkOf(
  { testMsisdns }: WalletPolicy,
  msisdn: string,
  customer: KnownCustomer | undefined,
): CustomerCheck {
  if (msisdn === testMsisdns?.failure) return notFound;
  if (customer !== undefined) {
    const { kycStatus, firstName, lastName } = customer;
    return { kycStatus, firstName, lastName };
  }
  if (msisdn === testMsisdns?.success)
    return { kycStatus: "complete", firstName: "Test", lastName: "Success" };
  return notFound;
}

/** As credit_wallets decides it. */
function amountMaxOf(
  { walletMax, testMsisdns }: WalletPolicy,
  msisdn: string,
  customer: KnownCustomer | undefined,
): number | null {
  if (msisdn === testMsisdns?.failure) return 0;
  if (customer !== undefined && isWalletFrozen(customer)) return 0;
  if (msisdn === testMsisdns?.success) return null;
  if (customer === undefined) return 0;
  const { balanceMax, kycStatus } = customer;
  return balanceMax ?? (kycStatus === "complete" ? walletMax.complete : walletMax.otherwise);
}
