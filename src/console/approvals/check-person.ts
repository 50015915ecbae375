import type { Tx } from "../../database/database.ts";
import { type Asked, askedInSession } from "../../staff/challenges.ts";
import { recordCopied } from "../../staff/passkeys.ts";
import { membershipsOf } from "../../staff/people.ts";
import { useProof } from "../../staff/proofs.ts";
import { roleMay } from "../../staff/roles.ts";
import { countCodeTry, forgetCodeTries } from "../../staff/tries.ts";
import type { ActionContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { readProof } from "../read-proof.ts";
import {
  CopiedPasskey,
  MayNotDecide,
  TooManyApprovalCodes,
  WrongApprovalCode,
  WrongApprovalPasskey,
} from "./errors.ts";

const hashShape = /^[0-9a-f]{64}$/;

/** What a passkey signs for a decision: this one, about exactly what was reviewed. `what` names it. */
export function askedToDecide(
  purpose: "approve" | "refuse",
  { person, sessionToken, form }: ActionContext,
  what: string,
): Asked & { readonly personId: string } {
  const typed = form.get("hash") ?? "";
  const subject = `${what} ${hashShape.test(typed) ? typed : "-"}`;
  return askedInSession(purpose, person.id, sessionToken, subject);
}

/**
 * Who decides is asked for once more inside the transaction of the decision: whether the role is still theirs, and the code of
 * this moment or a passkey's signature, which is used up by what it approves. Tries are counted beside it, so that wrong ones
 * are not taken back.
 */
export async function personCheck(
  parts: ConsoleParts,
  { person, company, by, form }: ActionContext,
  asked: Asked,
): Promise<(tx: Tx) => Promise<void>> {
  const { database, box, clock } = parts;
  const waitSeconds = await countCodeTry(database, person.id);
  if (waitSeconds !== undefined) throw new TooManyApprovalCodes(waitSeconds);
  const proof = await readProof(parts, form);
  return async (tx) => {
    const membership = (await membershipsOf(tx, person.id)).find(
      ({ companyId }) => companyId === company.id,
    );
    if (membership === undefined || !roleMay(membership.role, "approvals.decide"))
      throw new MayNotDecide();
    const answer = await useProof(tx, box, clock(), person, proof, asked, by);
    if (answer === "good") return;
    if (proof.kind === "code") throw new WrongApprovalCode();
    throw answer === "copied" && proof.checked !== undefined
      ? new CopiedPasskey(proof.checked)
      : new WrongApprovalPasskey();
  };
}

/** Decides. Whoever has proved to be there begins to count anew; and that a passkey seems copied outlives the refusal. */
export async function decideOnce<Result>(
  { database }: ConsoleParts,
  { person, by }: ActionContext,
  decide: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await decide();
    await forgetCodeTries(database, person.id);
    return result;
  } catch (error) {
    if (error instanceof CopiedPasskey)
      await database.transaction((tx) => recordCopied(tx, error.checked, by));
    throw error;
  }
}
