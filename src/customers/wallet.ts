/** What a customer holds here. */
export interface Wallet {
  /** Undefined for a staging test number, which nobody adds to the book. */
  readonly name: string | undefined;
  readonly balance: number;
  /** It neither receives nor pays. */
  readonly isFrozen: boolean;
}

/** One line of a person's history, as it was when the money moved. */
export interface WalletEntry {
  /** The transfer, payment or refund. Their ids are in the order of time, and so is the history. */
  readonly id: string;
  /** Why it moved: transfer.completed, charge.paid, charge.refunded. */
  readonly event: string;
  /** Added to the wallet; negative when the person paid. */
  readonly amount: number;
  readonly companyId: string;
  readonly companyName: string;
  readonly subCompany: { readonly name: string; readonly logoUrl: string } | undefined;
  readonly serviceReference: string;
  readonly description: string | null;
  readonly createdAt: Date;
}
