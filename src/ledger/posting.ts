/** The accounts every company has. `external` and `paid_out` stand for the world outside and may overdraw. */
export const accountKinds = ["available", "in_flight", "fees", "external", "paid_out"] as const;
export type AccountKind = (typeof accountKinds)[number];

export const overdrawableAccounts: ReadonlySet<AccountKind> = new Set(["external", "paid_out"]);

/** The same movement for one or many subjects: `debit` gives, `credit` receives. */
export interface Movement {
  /** `subject.past`: why the money moved. */
  readonly event: string;
  readonly debit: AccountKind;
  readonly credit: AccountKind;
  /** What it moved for. A subject sees one event once: repeating it is refused by the database. */
  readonly parts: readonly { readonly subjectId: string; readonly amount: number }[];
}
