import { isGoodKey, keyIdPrefix, listKeys } from "../../companies/credentials.ts";
import { type OpenedSecret, openSecrets } from "../../companies/open-secrets.ts";
import { toPublicId } from "../../kernel/ids.ts";
import { type Diagnosis, diagnoseSignature } from "../../webhooks/diagnose-signature.ts";
import type { Headers } from "../../webhooks/signature-headers.ts";
import type { ConsoleParts } from "../parts.ts";

/** A key that somebody may have verified with. */
export interface ChoosableKey {
  readonly id: string;
  readonly label: string;
  readonly isGood: boolean;
}

/** What was found, and by which key it is signed if by another than the one that was chosen. */
export interface Finding {
  readonly diagnosis: Diagnosis;
  readonly signedBy: ChoosableKey | undefined;
}

/** The company's keys, newest first. */
export async function choosableKeys(
  { database, clock }: Pick<ConsoleParts, "database" | "clock">,
  companyId: string,
): Promise<ChoosableKey[]> {
  const now = clock();
  const keys = (await listKeys(database, companyId)).toReversed();
  return keys.map((key) => {
    const id = toPublicId(keyIdPrefix, key.key_id);
    return { id, label: key.name ?? id, isGood: isGoodKey(key, now) };
  });
}

/**
 * Looks for what is wrong as the SDK does, with the secret of the chosen key, or of every good one. When none of them has
 * signed it, the company's other keys are tried, those too that are good no more.
 */
export async function checkSignature(
  { database, box, clock }: Pick<ConsoleParts, "database" | "box" | "clock">,
  companyId: string,
  pasted: { readonly body: string; readonly headers: Headers },
  keys: readonly ChoosableKey[],
  chosen: string,
): Promise<Finding> {
  const { body, headers } = pasted;
  const opened = await openSecrets(database, box, companyId);
  const keyOf = ({ keyId }: OpenedSecret) =>
    keys.find(({ id }) => id === toPublicId(keyIdPrefix, keyId));
  const isMeant = (secret: OpenedSecret) => {
    const key = keyOf(secret);
    return chosen === "" ? key?.isGood === true : key?.id === chosen;
  };
  const now = clock();
  const meant = opened.filter(isMeant).map(({ secret }) => secret);
  const diagnosis = await diagnoseSignature(body, headers, meant, { now });
  for (const secret of opened) {
    const found = await diagnoseSignature(body, headers, secret.secret, { now });
    if (found.isValid || found.reason === "too_old" || found.reason === "too_new")
      return { diagnosis, signedBy: keyOf(secret) };
  }
  return { diagnosis, signedBy: undefined };
}
