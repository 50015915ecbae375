import type { Desk } from "../approvals/desk.ts";
import { findByForm } from "../approvals/find-proposals.ts";
import type { Proposal } from "../approvals/proposal.ts";
import { propose } from "../approvals/propose.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { type Checking, checkDraft } from "./check-draft.ts";
import { DraftChanged, DraftNotReady } from "./errors.ts";
import { getDraft, lockOpenDraft } from "./keep-drafts.ts";
import { handIn } from "./store.ts";

export interface HandingIn {
  readonly companyId: string;
  readonly draftId: string;
  readonly by: ConsolePerson;
  readonly formId: string;
  /** Of the draft and of the price that were reviewed: when one has changed, nothing is asked for. */
  readonly version: number;
  readonly priceNumber: number;
}

/**
 * Asks for what a draft asks for. It is checked once more; and under the draft's lock it is still the one that was checked, or
 * nothing is asked for.
 */
export async function handInDraft(
  desk: Desk,
  checking: Checking,
  { companyId, draftId, by, formId, version, priceNumber }: HandingIn,
): Promise<Proposal> {
  const earlier = await findByForm(desk.database, companyId, formId);
  if (earlier !== undefined) return earlier;
  const draft = await getDraft(desk.database, companyId, draftId);
  if (draft.version !== version) throw new DraftChanged();
  const { isReady, preparation } = await checkDraft(checking, companyId, draft);
  if (!isReady) throw new DraftNotReady();
  return propose(desk, {
    companyId,
    by,
    formId,
    title: draft.name,
    hands: draft.hands,
    priceNumber,
    asked: {
      kind: "payroll",
      subCompanyId: draft.subCompanyId,
      fileHash: draft.fileHash,
      rows: preparation.payouts,
    },
    within: async (tx, proposalId) => {
      await lockOpenDraft(tx, companyId, draftId, version);
      await handIn(tx, companyId, draftId, proposalId);
    },
  });
}
