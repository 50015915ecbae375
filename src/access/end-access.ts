import { withdrawProposalsOf } from "../approvals/withdraw-proposals.ts";
import type { Tx } from "../database/database.ts";
import { toPublicId } from "../kernel/ids.ts";
import { endSessions } from "../staff/credentials.ts";
import { membershipsOf } from "../staff/people.ts";
import type { Person } from "../staff/person.ts";
import type { ConsolePerson, Operator } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { deleteAllLinksTo, deleteLinksBy, deleteLinksTo, type Link } from "./links-store.ts";
import { requestIdPrefix } from "./request.ts";
import { closeRequestsOf } from "./requests-store.ts";

/** Why somebody's access ends, as lists and the trail say it. */
export type EndReason = "member_removed" | "role_changed" | "access_reset";

/**
 * Ends all that a person has under way, in one company or in all of them: what they are signed in with, links to their address,
 * links that they made, payments that they asked for and nobody has approved, and requests that they made or that concern them.
 * Whoever takes somebody's access or a part of it away calls this, in the same transaction and under the person's lock.
 */
export async function endAccess(
  tx: Tx,
  person: Pick<Person, "id" | "email">,
  /** Undefined: all of them. */
  companyId: string | undefined,
  reason: EndReason,
  by: Operator | ConsolePerson,
): Promise<void> {
  await endSessions(tx, person.id);
  const links =
    companyId === undefined
      ? await deleteAllLinksTo(tx, person.email)
      : await deleteLinksTo(tx, person.email, companyId);
  await recordWithdrawn(
    tx,
    [...links, ...(await deleteLinksBy(tx, person.id, companyId))],
    reason,
    by,
  );
  for (const request of await closeRequestsOf(tx, person.id, companyId, reason))
    await recordForCompany(tx, request.companyId, by, {
      action: "access.withdrawn",
      subject: toPublicId(requestIdPrefix, request.id),
      to: { reason },
    });
  const companies =
    companyId === undefined
      ? (await membershipsOf(tx, person.id)).map((membership) => membership.companyId)
      : [companyId];
  for (const company of companies) await withdrawProposalsOf(tx, company, person.id, reason, by);
}

async function recordWithdrawn(
  tx: Tx,
  links: readonly Link[],
  reason: EndReason,
  by: Operator | ConsolePerson,
): Promise<void> {
  for (const { companyId, email } of links)
    if (companyId !== null)
      await recordForCompany(tx, companyId, by, {
        action: "member.invitation_withdrawn",
        subject: email,
        to: { reason },
      });
}
