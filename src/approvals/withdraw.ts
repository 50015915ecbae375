import type { Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { requirePermission } from "../staff/introducers.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { carryOut } from "./carry-out.ts";
import type { Desk } from "./desk.ts";
import { OthersProposal, ProposalClosed, ProposalNotFound } from "./errors.ts";
import { getProposal } from "./find-proposals.ts";
import { type Proposal, proposalCan, proposalIdPrefix } from "./proposal.ts";
import { lockProposal, markProposalWork, updateState } from "./store.ts";

interface Step {
  readonly companyId: string;
  readonly proposalId: string;
  readonly by: ConsolePerson;
}

/**
 * Takes back what waits, by those who have prepared it, or what is stopped, by anybody who may prepare. Of a payroll of which a part is paid already the rest is given up: what was paid
 * stays paid.
 */
export async function withdraw(desk: Pick<Desk, "database">, step: Step): Promise<Proposal> {
  return change(desk, step, "withdrawn", async (tx, proposal) => {
    if (!proposalCan.withdraw(proposal, step.by.personId))
      throw proposal.state === "waiting"
        ? new OthersProposal()
        : new ProposalClosed(proposal.state);
    const { companyId, proposalId } = step;
    if (proposal.doneRows === 0) await updateState(tx, companyId, proposalId, "withdrawn");
    else await updateState(tx, companyId, proposalId, "lapsed", "given_up");
  });
}

/** Goes on with what was stopped, under the approval that it has: it is of the very same content. A single payment is made at once. */
export async function resume(desk: Desk, step: Step): Promise<Proposal> {
  const proposal = await change(desk, step, "resumed", async (tx, stopped) => {
    if (!proposalCan.resume(stopped)) throw new ProposalClosed(stopped.state);
    await updateState(tx, step.companyId, step.proposalId, "approved");
    await markProposalWork(tx, step.companyId);
  });
  desk.onApproved(step.companyId);
  return proposal.kind === "payroll" ? proposal : carryOut(desk, step.companyId, step.proposalId);
}

async function change(
  { database }: Pick<Desk, "database">,
  { companyId, proposalId, by }: Step,
  what: "withdrawn" | "resumed",
  write: (tx: Tx, proposal: Proposal) => Promise<void>,
): Promise<Proposal> {
  await database.transactionOf(companyId, async (tx) => {
    await requirePermission(tx, companyId, by, "transfers.propose");
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
