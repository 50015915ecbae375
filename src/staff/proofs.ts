import type { Tx } from "../database/database.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import type { Asked } from "./challenges.ts";
import {
  type CheckedAssertion,
  type PasskeyAnswer,
  recordCopied,
  useAssertion,
} from "./passkeys.ts";
import type { Person } from "./person.ts";
import { useSecondFactor } from "./second-factor.ts";

/** How somebody proves to be there beyond a session: a code of the second factor, or a passkey in its place. */
export type Proof =
  | { readonly kind: "code"; readonly code: string }
  /** Undefined: the signature was not good. */
  | { readonly kind: "passkey"; readonly checked: CheckedAssertion | undefined };

/** Uses a proof up, by writes of this transaction. A copied passkey is written down in it: whoever refuses commits all the same. */
export async function useProof(
  tx: Tx,
  box: SecretBox,
  now: Date,
  person: Pick<Person, "id" | "email">,
  proof: Proof,
  asked: Asked,
  by: ConsolePerson,
): Promise<PasskeyAnswer> {
  if (proof.kind === "code")
    return (await useSecondFactor(tx, box, now, person, proof.code, by)) ? "good" : "refused";
  if (proof.checked === undefined) return "refused";
  const answer = await useAssertion(tx, proof.checked, asked);
  if (answer === "copied") await recordCopied(tx, proof.checked, by);
  return answer;
}
