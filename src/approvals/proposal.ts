import { timeOfUuid } from "../kernel/ids.ts";

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
export type Lapse =
  | "price_changed"
  | "duplicate_reference"
  | "refund_not_possible"
  | "given_up"
  /** Nobody has decided in time. */
  | "expired";

/** Why something was withdrawn by itself: what became of whoever asked for it. */
export type WithdrawalReason = "member_removed" | "role_changed" | "access_reset";

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

/** One union member per state: what stands in the way is known of those that are stopped, and of no other that goes on. */
export type Proposal = ProposalFacts &
  (
    | { readonly state: "waiting" | "refused" | "approved" | "carried_out" }
    /** Null: by somebody. */
    | { readonly state: "withdrawn"; readonly problem: WithdrawalReason | null }
    | { readonly state: "stopped"; readonly problem: Obstacle }
    | { readonly state: "lapsed"; readonly problem: Lapse }
  );
export type ProposalState = Proposal["state"];

/** What nobody has decided about for so long has lapsed: what was right to pay then may not be right any more. */
export const waitingDays = 7;

/** Until when somebody can decide about it. */
export function waitsUntil({ id }: Pick<Proposal, "id">): Date {
  return new Date(timeOfUuid(id) + waitingDays * 86_400_000);
}

/** What a person can do with it, by its state. */
export const proposalCan = {
  decide: ({ state }: Proposal) => state === "waiting",
  /** While it waits it is theirs who have prepared it, and another person refuses it instead. */
  withdraw: ({ state, hands }: Proposal, personId: string) =>
    state === "stopped" || (state === "waiting" && hands.includes(personId)),
  resume: ({ state }: Proposal) => state === "stopped",
  /** What was asked for may be asked for again, changed or not. */
  askAgain: (proposal: Proposal) =>
    ["refused", "withdrawn", "lapsed"].includes(proposal.state) && proposal.doneRows === 0,
};
