import { WebhookVerificationError, webhooks } from "@cauri/sdk";
import { type Headers, signatureHeaderOf } from "./signature-headers.ts";

export type FailureReason = Awaited<ReturnType<typeof webhooks.explainFailure>>["reason"];

/** Whether a notification is the service's, and if not, why. It holds no secret. */
export type Diagnosis =
  | {
      readonly isValid: true;
      readonly topic: string;
      /** Null: the header that was looked at does not name the notification. */
      readonly id: string | null;
      /** The header that matches. */
      readonly header: string;
    }
  | { readonly isValid: false; readonly reason: FailureReason; readonly message: string };

/** As whoever has received it would verify it; then what usually goes wrong is tried. */
export async function diagnoseSignature(
  body: string | Uint8Array,
  headers: Headers,
  secrets: string | readonly string[],
  rules: { readonly now?: Date; readonly toleranceMs?: number } = {},
): Promise<Diagnosis> {
  const signatureHeader = signatureHeaderOf(headers);
  const options = { ...rules, ...(signatureHeader === undefined ? {} : { signatureHeader }) };
  try {
    const { topic, id } = await webhooks.verify(body, headers, secrets, options);
    const header = signatureHeader ?? "webhook-signature";
    return { isValid: true, topic, id: id === "" ? null : id, header };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    const { reason, message } = await webhooks.explainFailure(body, headers, secrets, options);
    return { isValid: false, reason, message };
  }
}
