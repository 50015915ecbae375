export const proposalIdPrefix = "prop";

export type ProposalKind = "transfer" | "refund" | "payroll";

export type Verdict = "approved" | "refused";

/** Something stands in the way of what was approved; it goes on when somebody says so. */
export type Obstacle =
  | "insufficient_funds"
  | "quota_exceeded"
  | "company_frozen"
  | "sub_company_inactive"
  | "sub_company_not_found"
  | "account_blocked";

/** Why the rest has to be asked for again. */
export type Lapse = "price_changed" | "duplicate_reference" | "refund_not_possible" | "given_up";

/** What was asked for: none of it ever changes. */
interface ProposalFacts {
  /** The time inside it is when it was asked for. */
  readonly id: string;
  readonly kind: ProposalKind;
  readonly title: string;
  /** SHA-256 of its content, in hexadecimal digits: what an approval is bound to. */
  readonly hash: string;
  readonly madeBy: string;
  /** Everybody who had a part in it: none of them can approve it. */
  readonly hands: readonly string[];
  readonly rowTotal: number;
  readonly totalAmount: number;
  readonly totalFee: number;
  readonly needsApproval: boolean;
  /** What was decided by another person, if anything was. */
  readonly decision: Decision | null;
  /** Rows that are behind us: made, or passed over. */
  readonly doneRows: number;
  readonly changedAt: Date;
}

interface Decision {
  readonly verdict: Verdict;
  readonly decidedBy: string;
  readonly comment: string | null;
  readonly decidedAt: Date;
}

/** One union member per state: what stands in the way is known of those that are stopped, and of no other. */
export type Proposal = ProposalFacts &
  (
    | { readonly state: "waiting" | "refused" | "withdrawn" | "approved" | "carried_out" }
    | { readonly state: "stopped"; readonly problem: Obstacle }
    | { readonly state: "lapsed"; readonly problem: Lapse }
  );
export type ProposalState = Proposal["state"];

/** What a person can do with it, by its state. */
export const proposalCan = {
  decide: ({ state }: Proposal) => state === "waiting",
  withdraw: ({ state }: Proposal) => state === "waiting" || state === "stopped",
  resume: ({ state }: Proposal) => state === "stopped",
  /** What was asked for may be asked for again, changed or not. */
  askAgain: (proposal: Proposal) =>
    ["refused", "withdrawn", "lapsed"].includes(proposal.state) && proposal.doneRows === 0,
};
