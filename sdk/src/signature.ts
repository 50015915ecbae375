import { WebhookVerificationError } from "./errors.ts";

/** The body as it came over the wire, before anything has parsed it. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** Of a web Request, or an object as node:http, Express and Fastify have it. */
export type HeaderBag =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type Bytes = Uint8Array<ArrayBuffer>;

export interface SignatureOptions {
  /**
   * The interface's own header ("x-service-hmac-sha256") instead of `webhook-signature`. It signs the body alone, so a
   * request that somebody recorded cannot be told from a new one.
   */
  readonly signatureHeader?: string;
  /** How old or how far ahead a request may be; 5 minutes unless told otherwise. */
  readonly toleranceMs?: number;
  /** What time it is. */
  readonly now?: Date;
}

/** What a request carries as proof. */
export interface Proof {
  readonly id: string;
  readonly sentAt: Date;
  /** What stands before the body in what is signed. */
  readonly prefix: string;
  /** As they stand in the header, without their version. */
  readonly signatures: readonly string[];
}

/** More than there are secrets in use at once; the rest of a longer header is not looked at. */
const signaturesMax = 10;
const toleranceDefaultMs = 5 * 60_000;

function readHeader(headers: HeaderBag, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return typeof value === "string" ? value : value?.[0];
  return undefined;
}

export function readProof(headers: HeaderBag, { signatureHeader }: SignatureOptions): Proof {
  const id = readHeader(headers, "webhook-id") ?? "";
  const timestamp = readHeader(headers, "webhook-timestamp") ?? "";
  const sentAt = new Date(Number(timestamp) * 1_000);
  if (signatureHeader !== undefined) {
    const signature = need(headers, signatureHeader.toLowerCase());
    return { id, sentAt, prefix: "", signatures: [signature] };
  }
  const entries = need(headers, "webhook-signature").split(" ").slice(0, signaturesMax);
  need(headers, "webhook-id");
  if (!/^\d{1,12}$/.test(need(headers, "webhook-timestamp")))
    throw new WebhookVerificationError("malformed_header", "webhook-timestamp is no number.");
  const signatures = entries.filter((entry) => entry.startsWith("v1,"));
  if (signatures.length === 0)
    throw new WebhookVerificationError(
      "malformed_header",
      "webhook-signature has no v1 signature.",
    );
  return {
    id,
    sentAt,
    prefix: `${id}.${timestamp}.`,
    signatures: signatures.map((entry) => entry.slice(3)),
  };
}

function need(headers: HeaderBag, name: string): string {
  const value = readHeader(headers, name);
  if (value === undefined || value === "")
    throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  return value;
}

export function checkAge(
  sentAt: Date,
  { now = new Date(), toleranceMs = toleranceDefaultMs }: SignatureOptions,
): void {
  const ageMs = now.getTime() - sentAt.getTime();
  if (Math.abs(ageMs) <= toleranceMs) return;
  const seconds = Math.round(Math.abs(ageMs) / 1_000);
  throw ageMs > 0
    ? new WebhookVerificationError("too_old", `It was sent ${seconds} seconds ago.`)
    : new WebhookVerificationError("too_new", `It was sent ${seconds} seconds from now.`);
}

export function readSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.some((one) => !one))
    throw new WebhookVerificationError("missing_secret", "The secret key is missing or empty.");
  return secrets;
}

/** Its bytes. Undefined for what is no raw body, such as an object that something has parsed it into. */
export function toBytes(body: unknown): Bytes | undefined {
  if (typeof body === "string") return encode(body);
  // Not by instanceof: a test runner may keep its tests in a realm of their own, with classes of their own.
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  const isBuffer = Object.prototype.toString.call(body) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : undefined;
}

export function encode(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Whether one of the signatures was made with the secret. The platform compares, in constant time. */
export async function isSigned(
  secret: string,
  prefix: string,
  body: Bytes,
  signatures: readonly (Bytes | undefined)[],
): Promise<boolean> {
  const key = await importKey(secret, "verify");
  const content = concat(encode(prefix), body);
  let isFound = false;
  for (const signature of signatures) {
    if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, content)))
      isFound = true;
  }
  return isFound;
}

/** HMAC-SHA256. */
export async function makeSignature(secret: string, prefix: string, body: Bytes): Promise<Bytes> {
  const key = await importKey(secret, "sign");
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, concat(encode(prefix), body)));
}

export function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function importKey(secret: string, use: "sign" | "verify") {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encode(secret), algorithm, false, [use]);
}

function concat(a: Bytes, b: Bytes): Bytes {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
