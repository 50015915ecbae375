import type { Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import type { Desk } from "./desk.ts";
import { ProposalClosed, ProposalNotFound } from "./errors.ts";
import { getProposal } from "./find-proposals.ts";
import { type Proposal, proposalCan, proposalIdPrefix } from "./proposal.ts";
import { lockProposal, markProposalWork, updateState } from "./store.ts";

interface Step {
  readonly companyId: string;
  readonly proposalId: string;
  readonly by: ConsolePerson;
}

/**
 * Takes back what waits, or what is stopped. Of a payroll of which a part is paid already the rest is given up: what was paid
 * stays paid.
 */
export async function withdraw(desk: Pick<Desk, "database">, step: Step): Promise<Proposal> {
  return change(desk, step, "withdrawn", async (tx, proposal) => {
    if (!proposalCan.withdraw(proposal)) throw new ProposalClosed(proposal.state);
    const { companyId, proposalId } = step;
    if (proposal.doneRows === 0) await updateState(tx, companyId, proposalId, "withdrawn");
    else await updateState(tx, companyId, proposalId, "lapsed", "given_up");
  });
}

/** Goes on with what was stopped, under the approval that it has: it is of the very same content. */
export async function resume(
  desk: Pick<Desk, "database" | "onApproved">,
  step: Step,
): Promise<Proposal> {
  const proposal = await change(desk, step, "resumed", async (tx, stopped) => {
    if (!proposalCan.resume(stopped)) throw new ProposalClosed(stopped.state);
    await updateState(tx, step.companyId, step.proposalId, "approved");
    await markProposalWork(tx, step.companyId);
  });
  desk.onApproved(step.companyId);
  return proposal;
}

async function change(
  { database }: Pick<Desk, "database">,
  { companyId, proposalId, by }: Step,
  what: "withdrawn" | "resumed",
  write: (tx: Tx, proposal: Proposal) => Promise<void>,
): Promise<Proposal> {
  await database.transactionOf(companyId, async (tx) => {
    const locked = await lockProposal(tx, companyId, proposalId);
    if (locked === undefined) throw new ProposalNotFound();
    await write(tx, locked.proposal);
    await recordForCompany(tx, companyId, by, {
      action: `proposal.${what}`,
      subject: toPublicId(proposalIdPrefix, proposalId),
    });
  });
  return getProposal(database, companyId, proposalId);
}
