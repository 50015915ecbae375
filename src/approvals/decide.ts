import { getCompany } from "../companies/find-company.ts";
import type { Tx } from "../database/database.ts";
import { readDatabaseTime } from "../database/database-clock.ts";
import { timeOfUuid, toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { carryOut } from "./carry-out.ts";
import { lockDecider, refuseOfIntroducer } from "./decider.ts";
import type { Desk } from "./desk.ts";
import {
  CommentMissing,
  OwnProposal,
  ProposalChanged,
  ProposalClosed,
  ProposalExpired,
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
   * Throws unless it is this person, now. It runs inside the transaction of the decision, when nothing else
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
    const { proposal, price, introducers } = await lockForDecision(tx, request);
    const { priceNumber } = await getCompany(tx, companyId);
    if (price !== null && price !== priceNumber) {
      await updateState(tx, companyId, proposalId, "lapsed", "price_changed");
      return;
    }
    await request.checkPerson(tx);
    await decide(tx, request, { ...proposal, introducers }, "approved", null);
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
    const { proposal, introducers } = await lockForDecision(tx, request);
    await request.checkPerson(tx);
    await decide(tx, request, { ...proposal, introducers }, "refused", comment);
  });
  return getProposal(database, companyId, proposalId);
}

async function lockForDecision(
  tx: Tx,
  { companyId, proposalId, by, reviewedHash }: DecisionRequest,
): Promise<{
  readonly proposal: Proposal;
  readonly price: number | null;
  readonly introducers: readonly string[];
}> {
  // Memberships are locked before payments, here as everywhere.
  const introducers = await lockDecider(tx, companyId, by);
  const locked = await lockProposal(tx, companyId, proposalId);
  if (locked === undefined) throw new ProposalNotFound();
  const { proposal } = locked;
  if (proposal.state === "lapsed" && proposal.problem === "expired") throw new ProposalExpired();
  if (!proposalCan.decide(proposal)) throw new ProposalClosed(proposal.state);
  if (proposal.hands.includes(by.personId)) throw new OwnProposal();
  await refuseOfIntroducer(tx, proposal.hands, introducers);
  if (proposal.hash !== reviewedHash) throw new ProposalChanged();
  return { ...locked, introducers };
}

async function decide(
  tx: Tx,
  { companyId, proposalId, by, reviewedHash }: DecisionRequest,
  { hands, introducers }: Pick<Proposal, "hands"> & { readonly introducers: readonly string[] },
  verdict: "approved" | "refused",
  comment: string | null,
): Promise<void> {
  // Nothing is decided before it was asked for, also when the database's clock has gone back.
  const now = await readDatabaseTime(tx);
  const decidedAt = new Date(Math.max(now.getTime(), timeOfUuid(proposalId)));
  await insertDecision(tx, companyId, proposalId, {
    verdict,
    contentHash: Buffer.from(reviewedHash, "hex"),
    hands,
    introducers,
    decidedBy: by.personId,
    decidedAt,
    comment,
  });
  await recordForCompany(tx, companyId, by, {
    action: `proposal.${verdict}`,
    subject: toPublicId(proposalIdPrefix, proposalId),
    to: {
      hash: reviewedHash,
      comment,
      decidedAt: decidedAt.toISOString(),
      introducers: introducers.join(" "),
    },
  });
}
