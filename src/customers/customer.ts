export const kycStatuses = ["complete", "pending", "incomplete", "rejected"] as const;
export type KycStatus = (typeof kycStatuses)[number];

/** A person known by a phone number (digits only). */
export interface Customer {
  readonly msisdn: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly kycStatus: KycStatus;
  /** What this person's wallet may hold at most; null follows from the KYC status. */
  readonly balanceMax: number | null;
}

/** A customer in the book. */
export interface KnownCustomer extends Customer {
  /** Frozen by the operator. */
  readonly isFrozen: boolean;
}

/** Whether the wallet neither receives nor pays: frozen by the operator, or by a rejected identification. */
export function isWalletFrozen({
  kycStatus,
  isFrozen,
}: Pick<KnownCustomer, "kycStatus" | "isFrozen">): boolean {
  return isFrozen || kycStatus === "rejected";
}

/** What differs between installations: the ceilings, and in staging the two test numbers. */
export interface WalletPolicy {
  readonly walletMax: { readonly complete: number; readonly otherwise: number };
  readonly testMsisdns: { readonly success: string; readonly failure: string } | undefined;
}
