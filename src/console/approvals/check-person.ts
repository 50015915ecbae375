import type { Tx } from "../../database/database.ts";
import { type Asked, askedInSession } from "../../staff/challenges.ts";
import { recordCopied } from "../../staff/passkeys.ts";
import { useProof } from "../../staff/proofs.ts";
import { codesInSession, forgetCodeTries } from "../../staff/tries.ts";
import type { ActionContext } from "../context.ts";
import type { ConsoleParts } from "../parts.ts";
import { countSessionCode, noteRefusedCode, readProof } from "../read-proof.ts";
import { CopiedPasskey, WrongApprovalCode, WrongApprovalPasskey } from "./errors.ts";

const refusals = [WrongApprovalCode, WrongApprovalPasskey, CopiedPasskey];
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
 * Who decides is asked for once more inside the transaction of the decision: the code of this moment or a passkey's signature,
 * which is used up by what it approves. Tries are counted beside it, so that wrong ones are not taken back.
 */
export async function personCheck(
  parts: ConsoleParts,
  context: ActionContext,
  asked: Asked,
): Promise<(tx: Tx) => Promise<void>> {
  const { box, clock } = parts;
  const { person, by, form } = context;
  await countSessionCode(parts, context);
  const proof = await readProof(parts, form);
  return async (tx) => {
    const answer = await useProof(tx, box, clock(), person, proof, asked, by);
    if (answer === "good") return;
    if (proof.kind === "code") throw new WrongApprovalCode();
    throw answer === "copied" && proof.checked !== undefined
      ? new CopiedPasskey(proof.checked)
      : new WrongApprovalPasskey();
  };
}

/** Decides. Whoever has proved to be there begins to count anew; what was refused is written down beside the decision. */
export async function decideOnce<Result>(
  parts: ConsoleParts,
  { request, session, by, form }: ActionContext,
  decide: () => Promise<Result>,
): Promise<Result> {
  const { database } = parts;
  try {
    const result = await decide();
    await forgetCodeTries(database, codesInSession(session.id));
    return result;
  } catch (error) {
    if (error instanceof CopiedPasskey)
      await database.transaction((tx) => recordCopied(tx, error.checked, by));
    if (refusals.some((kind) => error instanceof kind))
      await noteRefusedCode(
        parts,
        request,
        session,
        by,
        form.has("signature") ? "passkey" : "code",
      );
    throw error;
  }
}
