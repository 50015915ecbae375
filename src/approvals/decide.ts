import { getCompany } from "../companies/find-company.ts";
import type { Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { carryOut } from "./carry-out.ts";
import type { Desk } from "./desk.ts";
import {
  CommentMissing,
  OwnProposal,
  ProposalChanged,
  ProposalClosed,
  ProposalNotFound,
} from "./errors.ts";
import { getProposal } from "./find-proposals.ts";
import { type Proposal, proposalCan, proposalIdPrefix } from "./proposal.ts";
import { insertDecision, lockProposal, markProposalWork, updateState } from "./store.ts";

export interface DecisionRequest {
  readonly companyId: string;
  readonly proposalId: string;
  readonly by: ConsolePerson;
  /** The hash of what this person has seen, in hexadecimal digits. */
  readonly reviewedHash: string;
  /**
   * Throws unless it is this person, now, and may decide. It runs inside the transaction of the decision, when nothing else
   * stands against it, so that a code is used up by what it approves.
   */
  readonly checkPerson: (tx: Tx) => Promise<void>;
}

/**
 * Lets a payment go. Of any number of people and nodes that try, one decides; and of one that a price has overtaken nothing is
 * carried out: it lapses, and has to be asked for again.
 */
export async function approve(desk: Desk, request: DecisionRequest): Promise<Proposal> {
  const { companyId, proposalId } = request;
  await desk.database.transactionOf(companyId, async (tx) => {
    const { proposal, price } = await lockForDecision(tx, request);
    const { priceNumber } = await getCompany(tx, companyId);
    if (price !== null && price !== priceNumber) {
      await updateState(tx, companyId, proposalId, "lapsed", "price_changed");
      return;
    }
    await request.checkPerson(tx);
    await decide(tx, request, proposal, "approved", null);
    await markProposalWork(tx, companyId);
  });
  const proposal = await getProposal(desk.database, companyId, proposalId);
  if (proposal.state !== "approved") return proposal;
  desk.onApproved(companyId);
  return proposal.kind === "payroll" ? proposal : carryOut(desk, companyId, proposalId);
}

/** Says no, and why: whoever prepared it reads the words. */
export async function refuse(
  { database }: Pick<Desk, "database">,
  request: DecisionRequest & { readonly comment: string },
): Promise<Proposal> {
  const { companyId, proposalId } = request;
  const comment = request.comment.trim();
  if (comment === "" || comment.length > 1_000) throw new CommentMissing();
  await database.transactionOf(companyId, async (tx) => {
    const { proposal } = await lockForDecision(tx, request);
    await request.checkPerson(tx);
    await decide(tx, request, proposal, "refused", comment);
  });
  return getProposal(database, companyId, proposalId);
}

async function lockForDecision(
  tx: Tx,
  { companyId, proposalId, by, reviewedHash }: DecisionRequest,
): Promise<{ readonly proposal: Proposal; readonly price: number | null }> {
  const locked = await lockProposal(tx, companyId, proposalId);
  if (locked === undefined) throw new ProposalNotFound();
  const { proposal } = locked;
  if (!proposalCan.decide(proposal)) throw new ProposalClosed(proposal.state);
  if (proposal.hands.includes(by.personId)) throw new OwnProposal();
  if (proposal.hash !== reviewedHash) throw new ProposalChanged();
  return locked;
}

async function decide(
  tx: Tx,
  { companyId, proposalId, by, reviewedHash }: DecisionRequest,
  { hands }: Proposal,
  verdict: "approved" | "refused",
  comment: string | null,
): Promise<void> {
  await insertDecision(tx, companyId, proposalId, {
    verdict,
    contentHash: Buffer.from(reviewedHash, "hex"),
    hands,
    decidedBy: by.personId,
    comment,
  });
  await recordForCompany(tx, companyId, by, {
    action: `proposal.${verdict}`,
    subject: toPublicId(proposalIdPrefix, proposalId),
    to: { hash: reviewedHash, comment },
  });
}
