import { hash as digestOf } from "node:crypto";
import type { Tx } from "../database/database.ts";
import { nextId } from "../database/next-id.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { lockDecider, refuseOfIntroducer } from "./decider.ts";
import type { Desk } from "./desk.ts";
import { CommentMissing, HeldChanged, OwnKey } from "./errors.ts";
import { findHeld, findKeyMakers } from "./find-held.ts";
import { type HeldScope, type HeldSet, heldDecisionIdPrefix } from "./held.ts";
import { endHold, insertHeldDecision } from "./held-store.ts";
import type { Verdict } from "./proposal.ts";

export interface HeldRequest {
  readonly companyId: string;
  readonly by: ConsolePerson;
  /** What this person has looked at: the oldest, up to the last of them that was shown, a batch, or one. */
  readonly scope: HeldScope;
  /** The hash of what this person has seen, in hexadecimal digits. */
  readonly reviewedHash: string;
  /** As with a proposal: who it is, now, inside the transaction of the decision. */
  readonly checkPerson: (tx: Tx) => Promise<void>;
}

/** Lets what was held go: it comes into the queue, and whoever settles is told. */
export async function approveHeld(desk: Desk, request: HeldRequest): Promise<HeldSet> {
  const set = await decide(desk, request, "approved", null);
  desk.onAccepted(request.companyId);
  return set;
}

/** Says no, and why: the transfers end as failed, and their money goes back. */
export async function refuseHeld(
  desk: Desk,
  request: HeldRequest & { readonly comment: string },
): Promise<HeldSet> {
  const comment = request.comment.trim();
  if (comment === "" || comment.length > 1_000) throw new CommentMissing();
  const set = await decide(desk, request, "refused", comment);
  desk.payments.onEvent(request.companyId);
  return set;
}

/**
 * Of any number of people and nodes one decides after the other: whoever comes second finds what is left, which is not what that
 * person has looked at. What comes later than the last that was shown belongs to another decision and disturbs nobody.
 */
async function decide(
  { database }: Desk,
  { companyId, by, scope, reviewedHash, checkPerson }: HeldRequest,
  verdict: Verdict,
  comment: string | null,
): Promise<HeldSet> {
  return database.transactionOf(companyId, async (tx) => {
    const introducers = await lockDecider(tx, companyId, by);
    // The list's lock, until the commit.
    const id = await nextId(tx, companyId, "held_decisions");
    const set = await findHeld(tx, companyId, scope);
    if (set === undefined) throw new HeldChanged();
    const hands = await findKeyMakers(tx, companyId, set);
    if (hands.includes(by.personId)) throw new OwnKey();
    await refuseOfIntroducer(tx, hands, introducers);
    if (set.hash !== reviewedHash) throw new HeldChanged();
    await checkPerson(tx);
    const { rows, amount, fee } = set;
    await insertHeldDecision(tx, companyId, {
      id,
      verdict,
      contentHash: Buffer.from(reviewedHash, "hex"),
      rowTotal: rows.length,
      totalAmount: amount,
      totalFee: fee,
      hands,
      introducers,
      decidedBy: by.personId,
      comment,
    });
    await recordForCompany(tx, companyId, by, {
      action: `held.${verdict}`,
      subject: toPublicId(heldDecisionIdPrefix, id),
      to: {
        count: rows.length,
        amount,
        fee,
        hash: reviewedHash,
        hands: digestOf("sha256", hands.join(" "), "hex"),
        introducers: introducers.join(" "),
        comment,
      },
    });
    const ids = rows.map((row) => row.id);
    await endHold(tx, companyId, { id, verdict }, ids);
    return set;
  });
}
