/** A line for a wallet's history: what moved, and all that the person may see of why. */
export interface NewWalletEntry {
  /** Digits. */
  readonly msisdn: string;
  readonly subjectId: string;
  /** When the payment or refund happened that it is for. */
  readonly createdAt: Date;
  /** Added to the wallet; negative when the person pays. */
  readonly amount: number;
  readonly companyId: string;
  readonly companyName: string;
  readonly subCompany: { readonly name: string; readonly logoUrl: string } | undefined;
  readonly description: string | null;
}
