import { type VerificationReason, WebhookVerificationError } from "./errors.ts";
import {
  type Bytes,
  checkAge,
  encode,
  fromBase64,
  type HeaderBag,
  isSigned,
  type Proof,
  readProof,
  readSecrets,
  type SignatureOptions,
  toBytes,
} from "./signature.ts";

/** Why a request is refused. `nothing`: it is not. */
export type FailureReason =
  | VerificationReason
  | "nothing"
  | "reserialised_body"
  | "changed_whitespace"
  | "changed_encoding"
  | "hex_signature"
  | "altered_secret"
  | "token_as_secret"
  | "changed_headers"
  | "wrong_secret"
  | "changed_body";

export interface Explanation {
  readonly reason: FailureReason;
  /** What is wrong, and what to do. It holds no secret. */
  readonly message: string;
}

export interface ExplainOptions extends SignatureOptions {
  /** A signature that your own code has made, to see what it did. */
  readonly computed?: string;
}

const messages: Readonly<Record<Exclude<FailureReason, VerificationReason>, string>> = {
  nothing: "Nothing is wrong: the signature matches.",
  reserialised_body:
    "The body was parsed and written anew, so its bytes are others. Take the raw body, before any parser.",
  changed_whitespace:
    "Whitespace was changed: a line break at the end, indentation. Take the raw body.",
  changed_encoding:
    "The body was read in another encoding than UTF-8. Take its bytes as they came.",
  hex_signature: "The signature is in hexadecimal; it has to be Base64.",
  altered_secret: "The secret key is not as it was shown: look for spaces, quotes, a missing sk_.",
  token_as_secret:
    "That is the access token (at_…); notifications are signed with the secret key (sk_…).",
  changed_headers:
    "Body and secret key are right; webhook-id, webhook-timestamp or webhook-signature was changed on the way.",
  wrong_secret:
    "The body looks as it was sent, so the secret key is another one: old, or of another company or environment.",
  changed_body: "The body is not what was sent, or the secret key is another one.",
};

/** Why `verify` refuses these arguments: it tries what usually goes wrong until the signature matches. For development. */
export async function explainFailure(
  rawBody: unknown,
  headers: HeaderBag,
  secret: string | readonly string[],
  options: ExplainOptions = {},
): Promise<Explanation> {
  try {
    const secrets = readSecrets(secret);
    const proof = readProof(headers, options);
    const reason = await findReason(rawBody, headers, secrets, proof, options);
    // What is signed and not too old or new is right; checkAge throws otherwise.
    if (reason === "nothing" && proof.prefix !== "") checkAge(proof.sentAt, options);
    return { reason, message: messages[reason] };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { reason: error.reason, message: `${error.message}${advice[error.reason] ?? ""}` };
  }
}

const advice: Partial<Record<VerificationReason, string>> = {
  missing_header: " Did a proxy take it away?",
  too_old: " It was played again, waited somewhere, or this clock is wrong.",
  too_new: " This clock is wrong.",
};

async function findReason(
  rawBody: unknown,
  headers: HeaderBag,
  secrets: readonly string[],
  { prefix, signatures }: Proof,
  { computed }: ExplainOptions,
): Promise<keyof typeof messages> {
  const bytes = toBytes(rawBody) ?? encode(JSON.stringify(rawBody) ?? "");
  const given = signatures.map(fromBase64);
  const matches = async (some: readonly string[], body: Bytes, proofs = given, before = prefix) => {
    for (const one of some)
      if (one !== "" && (await isSigned(one, before, body, proofs))) return true;
    return false;
  };

  if (await matches(secrets, bytes)) {
    if (toBytes(rawBody) === undefined) return "reserialised_body";
    const made = [fromHex(computed)];
    const isHex =
      (await matches(secrets, bytes, made)) || (await matches(secrets, bytes, made, ""));
    return isHex ? "hex_signature" : "nothing";
  }
  if (
    await matches(
      secrets,
      bytes,
      signatures.map((one) => fromHex(one)),
    )
  )
    return "hex_signature";
  if (secrets.some((one) => one.startsWith("at_"))) return "token_as_secret";
  if (await matches(secrets.flatMap(variantsOfSecret), bytes)) return "altered_secret";

  const text = new TextDecoder().decode(bytes);
  for (const [reason, body] of variantsOfBody(text))
    if (await matches(secrets, body)) return reason;
  const bodyOnly = ownSignatures(headers).map(fromBase64);
  if (prefix !== "" && (await matches(secrets, bytes, bodyOnly, ""))) return "changed_headers";

  // Nothing matched. What is left is to see whether the body has the form in which it is always sent.
  if (toBytes(rawBody) === undefined || /^\s*\{\s*"topic"/.test(text)) return "reserialised_body";
  if (text.includes("\ufffd")) return "changed_encoding";
  return text.startsWith('{"data":') && compact(text) === text ? "wrong_secret" : "changed_body";
}

function variantsOfSecret(secret: string): string[] {
  const trimmed = withoutQuotes(secret.trim());
  return [trimmed, `sk_${trimmed}`, trimmed.replace(/^sk_/, "")];
}

function withoutQuotes(text: string): string {
  const [first = ""] = text;
  const isQuoted = text.length >= 2 && (first === '"' || first === "'") && text.endsWith(first);
  return isQuoted ? text.slice(1, -1) : text;
}

/** The body as it may have been before something happened to it. */
function variantsOfBody(
  text: string,
): [reason: "changed_whitespace" | "reserialised_body" | "changed_encoding", body: Bytes][] {
  const bare = text.replace(/^\ufeff/, "").trim();
  const found: ReturnType<typeof variantsOfBody> = [
    ["changed_whitespace", encode(bare)],
    ["changed_whitespace", encode(withoutSpaces(bare))],
  ];
  const again = compact(bare);
  if (again !== undefined) found.push(["reserialised_body", encode(again)]);
  // Read as Latin-1 and written as UTF-8, every letter beyond ASCII has become two.
  const letters = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  if (letters.every((code) => code < 256))
    found.push(["changed_encoding", Uint8Array.from(letters)]);
  return found;
}

/** As the service writes it: compact, `data` before `topic`. */
function compact(text: string): string | undefined {
  try {
    const { data, topic, ...others } = JSON.parse(text);
    return JSON.stringify({ data, topic, ...others });
  } catch {
    return undefined;
  }
}

/** Without the whitespace that stands outside of strings. One pass: whoever sends a body chooses what is in it. */
function withoutSpaces(text: string): string {
  let isInside = false;
  return text.replace(/\\[^]|"|\s+/g, (found) => {
    if (found === '"') isInside = !isInside;
    return isInside || found.trim() !== "" ? found : "";
  });
}

/** The interface's own header, whatever the brand in its name. */
function ownSignatures(headers: HeaderBag): string[] {
  const entries =
    Symbol.iterator in headers
      ? [...(headers as Iterable<[string, unknown]>)]
      : Object.entries(headers);
  return entries.flatMap(([name, value]) =>
    /^x-.+-hmac-sha256$/i.test(name) && typeof value === "string" ? [value] : [],
  );
}

function fromHex(text = ""): Bytes | undefined {
  if (!/^(?:[\da-f]{2}){32}$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
