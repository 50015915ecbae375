import { findProposalOf, getContent, listProposals } from "../../approvals/find-proposals.ts";
import type { Proposal } from "../../approvals/proposal.ts";
import { type Charge, chargeCan } from "../../charges/charge.ts";
import type { Database } from "../../database/database.ts";

/** What the lists call a refund of this charge. */
export function refundTitleOf({ externalId }: Pick<Charge, "externalId">): string {
  return externalId.slice(0, 200);
}

const waitingLookedAt = 100;

/** Refunds of this charge that wait for another person. What they are called leads to them; their content decides. */
export async function findWaitingRefunds(
  database: Database,
  companyId: string,
  charge: Charge,
): Promise<Proposal[]> {
  if (!chargeCan.refund(charge)) return [];
  const filter = { kind: "refund", isWaiting: true } as const;
  const { rows } = await listProposals(database, companyId, filter, { limit: waitingLookedAt });
  const found: Proposal[] = [];
  for (const proposal of rows.filter(({ title }) => title === refundTitleOf(charge))) {
    const content = await getContent(database, companyId, proposal.id);
    if (content.kind === "refund" && content.chargeId === charge.id) found.push(proposal);
  }
  return found;
}

/** Refunds whose makers are looked for: the newest of a charge. */
const refundsLookedAt = 20;

/** What people asked for that led to the newest refunds of a charge, by the id of the refund. */
export async function findRefundProposals(
  database: Database,
  companyId: string,
  { transactions }: Charge,
): Promise<Map<string, Proposal>> {
  const refunds = transactions.filter(({ type }) => type === "refund").slice(-refundsLookedAt);
  const found = new Map<string, Proposal>();
  for (const { id } of refunds) {
    const proposal = await findProposalOf(database, companyId, id);
    if (proposal !== undefined) found.set(id, proposal);
  }
  return found;
}
