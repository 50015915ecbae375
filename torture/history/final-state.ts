/** What is there when all is quiet: the books by the tables, and what the service says of them. */
export interface FinalState {
  readonly companies: readonly CompanyState[];
  /** What all wallets hold, and what their entries sum to. */
  readonly wallets: number;
  readonly walletEntries: number;
  /** Empty: the audit is clean. */
  readonly auditFindings: readonly string[];
}

export interface CompanyState {
  readonly company: string;
  readonly books: Readonly<
    Record<"available" | "in_flight" | "fees" | "external" | "paid_out", number>
  >;
  readonly postings: readonly PostingState[];
  readonly transfers: readonly TransferState[];
  readonly charges: readonly ChargeState[];
  readonly movements: readonly MovementState[];
  readonly events: readonly EventState[];
  /** As each node answers it. */
  readonly balances: readonly number[];
  readonly statements: readonly StatementState[];
}

interface PostingState {
  readonly number: number;
  readonly event: string;
  /** A UUID. */
  readonly subject: string;
  /** The account that it went to: some subjects have two postings of one event, for the amount and for the fee. */
  readonly credit: string;
  readonly amount: number;
  /** Null: it left the balance as it was. */
  readonly availableAfter: number | null;
}

export interface TransferState {
  /** As the API shows it; `uuid` is the subject of its postings. */
  readonly id: string;
  readonly uuid: string;
  readonly reference: string;
  readonly amount: number;
  readonly fee: number;
  readonly msisdn: string;
  readonly batchId: string | null;
  readonly status: "pending" | "completed" | "failed";
}

export interface ChargeState {
  readonly id: string;
  readonly externalId: string;
  readonly amount: number;
  readonly status: string;
  readonly paid: number;
  readonly refunded: number;
  readonly attempts: number;
  readonly transactions: readonly ChargeTransactionState[];
}

export interface ChargeTransactionState {
  readonly id: string;
  readonly type: "payment" | "refund";
  readonly status: "completed" | "failed";
  readonly amount: number;
}

interface MovementState {
  readonly kind: "fund" | "withdraw";
  readonly uuid: string;
  readonly reference: string;
  readonly amount: number;
}

export interface EventState {
  readonly number: number;
  readonly topic: string;
  readonly subject: string;
  /** The id that its notification bears. */
  readonly message: string;
  /** Of the bytes that are sent; null: not known. */
  readonly digest: string | null;
}

export interface StatementState {
  /** "pages of one", "CSV of two". */
  readonly source: string;
  readonly opening: number;
  readonly closing: number;
  readonly lines: readonly StatementLineState[];
}

export interface StatementLineState {
  readonly number: number;
  readonly id: string;
  readonly amount: number;
  readonly balanceAfter: number;
}
