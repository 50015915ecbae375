import type { Database } from "../database/database.ts";
import type { KycStatus, WalletPolicy } from "./customer.ts";
import { selectCustomer } from "./store.ts";

export interface CustomerCheck {
  readonly kycStatus: KycStatus | "unknown";
  readonly firstName: string;
  readonly lastName: string;
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
  if (msisdn === policy.testMsisdns?.failure) return notFound;
  const customer = await selectCustomer(database, msisdn);
  if (customer !== undefined) {
    return {
      kycStatus: customer.kycStatus,
      firstName: customer.firstName,
      lastName: customer.lastName,
    };
  }
  if (msisdn === policy.testMsisdns?.success) {
    return { kycStatus: "complete", firstName: "Test", lastName: "Success" };
  }
  return notFound;
}
