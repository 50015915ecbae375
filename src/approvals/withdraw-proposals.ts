import type { Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { proposalIdPrefix, type WithdrawalReason } from "./proposal.ts";
import { lockUnapproved, updateState } from "./store.ts";

/** Takes back what a person has asked for and no other has approved, because that person's access ends. What was paid stays paid. */
export async function withdrawProposalsOf(
  tx: Tx,
  companyId: string,
  personId: string,
  reason: WithdrawalReason,
  by: Operator | ConsolePerson,
): Promise<void> {
  for (const { id, doneRows } of await lockUnapproved(tx, companyId, personId)) {
    if (doneRows === 0) await updateState(tx, companyId, id, "withdrawn", reason);
    else await updateState(tx, companyId, id, "lapsed", "given_up");
    await recordForCompany(tx, companyId, by, {
      action: "proposal.withdrawn",
      subject: toPublicId(proposalIdPrefix, id),
      to: { reason },
    });
  }
}
