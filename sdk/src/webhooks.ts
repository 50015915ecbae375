import type {
  BatchCompleted,
  ChargeEvent,
  StatementSealed,
  TransactionCompleted,
  TransactionFailed,
  TransactionStarted,
  WebhookTest,
} from "./api.ts";
import { WebhookVerificationError } from "./errors.ts";
import {
  checkAge,
  encode,
  fromBase64,
  type HeaderBag,
  isSigned,
  makeSignature,
  type RawBody,
  readProof,
  readSecrets,
  type SignatureOptions,
  toBase64,
  toBytes,
} from "./signature.ts";

export type { WebhookTest } from "./api.ts";
export {
  type ExplainOptions,
  type Explanation,
  explainFailure,
  type FailureReason,
} from "./explain-failure.ts";
export type { HeaderBag, RawBody, SignatureOptions } from "./signature.ts";
/** What the body says; the topic tells what the rest is. There may be more topics one day: pass over what you do not know. */
export type WebhookPayload =
  | TransactionStarted
  | TransactionCompleted
  | TransactionFailed
  | BatchCompleted
  | ChargeEvent
  | StatementSealed
  | WebhookTest;

export type WebhookEvent = WebhookPayload & {
  /** The same in every attempt: keep it, and pass over what you have handled before. */
  readonly id: string;
  /** When this attempt was made. */
  readonly sentAt: Date;
};

/**
 * The notification, if it is the service's: signed with the secret (or one of several, while keys are changed over) and
 * sent just now. Throws WebhookVerificationError otherwise. Give it the body as it came, before anything has parsed it.
 */
export async function verify(
  rawBody: RawBody,
  headers: HeaderBag,
  secret: string | readonly string[],
  options: SignatureOptions = {},
): Promise<WebhookEvent> {
  const secrets = readSecrets(secret);
  const { id, sentAt, prefix, signatures } = readProof(headers, options);
  const body = toBytes(rawBody);
  if (body === undefined)
    throw new WebhookVerificationError(
      "parsed_body",
      "The body was parsed already; verify the bytes as they came.",
    );
  const proofs = signatures.map(fromBase64);
  let isOurs = false;
  for (const one of secrets) if (await isSigned(one, prefix, body, proofs)) isOurs = true;
  if (!isOurs)
    throw new WebhookVerificationError(
      "no_match",
      "No signature matches; webhooks.explainFailure says why.",
    );
  // The time is judged last: only of a request that is signed it says something.
  if (prefix !== "") checkAge(sentAt, options);
  return { id, sentAt, ...readPayload(body) };
}

function readPayload(body: Uint8Array): WebhookPayload {
  try {
    const payload = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof payload.topic === "string") return payload;
  } catch {}
  throw new WebhookVerificationError("not_json", "It is signed, and no notification.");
}

/** Sent to a url that is new. It tells of nothing. */
const testTopic = "webhooks/test" satisfies WebhookTest["topic"];

export interface TestEventOptions {
  readonly id?: string;
  readonly sentAt?: Date;
  /** The word in the names of headers; "service" unless the operator has set another. */
  readonly brand?: string;
}

export interface SignedEvent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the service would send, for the tests of a receiver. With several secrets it is signed with each, newest first. */
export async function sign(
  payload: { readonly topic: string; readonly data: object },
  secret: string | readonly string[],
  { id = crypto.randomUUID(), sentAt = new Date(), brand = "service" }: TestEventOptions = {},
): Promise<SignedEvent> {
  const secrets = readSecrets(secret);
  const body = JSON.stringify({ data: payload.data, topic: payload.topic });
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const signed = (one: string, prefix: string) =>
    makeSignature(one, prefix, encode(body)).then(toBase64);
  const timed = secrets.map((one) => signed(one, `${id}.${timestamp}.`));
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": (await Promise.all(timed)).map((one) => `v1,${one}`).join(" "),
      [`x-${brand}-hmac-sha256`]: await signed(secrets[0] ?? "", ""),
      [`x-${brand}-webhook-topic`]: payload.topic,
      ...(payload.topic === testTopic ? { [`x-${brand}-webhook-test`]: "true" } : {}),
    },
  };
}
