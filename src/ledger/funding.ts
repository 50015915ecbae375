/** Money that came in from outside: a bank transfer, cash at the counter. */
export interface Funding {
  readonly amount: number;
  readonly createdAt: Date;
}

export interface NewFunding {
  readonly id: string;
  readonly amount: number;
  /** The operator's own name for it, which lets it happen once, for ever. Null: it has none. */
  readonly reference: string | null;
}
