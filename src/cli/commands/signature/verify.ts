import { readFile, stat } from "node:fs/promises";
import { InvalidConfiguration } from "../../../kernel/errors.ts";
import { diagnoseSignature } from "../../../webhooks/diagnose-signature.ts";
import type { Outcome } from "../../context.ts";
import { readCredentials } from "../../credentials.ts";
import { FileNotReadable } from "../../errors.ts";
import { readable } from "../../files.ts";
import { askedProfile, profileDefault, profilePath } from "../../profiles.ts";
import { askSecret, readStandardInput } from "../../prompt.ts";
import { readOwnSettings } from "../../read-client.ts";
import { readHeaders, type SignatureOptions } from "./read-headers.ts";

export interface VerifyOptions extends SignatureOptions {
  readonly secretFile?: string;
  readonly anyAge?: boolean;
  readonly profile?: string;
}

/** More than a notification ever is. */
const bodyMax = 5 * 1_024 * 1_024;
const secretFileMax = 4_096;
/** Longer ago than there are notifications. */
const anyAgeMs = 2 ** 31 - 1;

/** Whether a notification is the service's, and if not, why: over no network, and with nothing but what is given. */
export async function verifySignatureCommand(
  file: string | undefined,
  options: VerifyOptions,
): Promise<Outcome> {
  const headers = await readHeaders(options);
  const secret = await readSecret(options, file === undefined || file === "-");
  const body = await readBody(file);
  const rules = options.anyAge === true ? { toleranceMs: anyAgeMs, now: sentAtOf(headers) } : {};
  const found = await diagnoseSignature(body, headers, secret, rules);
  if (found.isValid) {
    const { topic, id, header } = found;
    return {
      value: { valid: true, topic, id, header },
      text: `It is genuine: ${header} matches. Topic ${topic}.`,
    };
  }
  const { reason, message } = found;
  const isOld = reason === "too_old";
  const more = isOld ? " The signature itself matches; --any-age does not look at the time." : "";
  return {
    value: { valid: false, reason, message },
    text: `It is refused (${reason}): ${message}${more}`,
    exitCode: 1,
  };
}

/** The moment it was sent, so that it is never too old. */
function sentAtOf(headers: Readonly<Record<string, string>>): Date {
  const seconds = Number(headers["webhook-timestamp"]);
  return Number.isFinite(seconds) ? new Date(seconds * 1_000) : new Date();
}

async function readBody(file: string | undefined): Promise<Uint8Array> {
  if (file !== undefined && file !== "-") {
    await readable(file);
    if ((await stat(file)).size > bodyMax) throw tooLarge();
    return readFile(file);
  }
  if (process.stdin.isTTY)
    throw new InvalidConfiguration([
      "Give a file with the raw body, or the raw body on standard input: cauri verify-signature body.json …",
    ]);
  const body = await readStandardInput(bodyMax);
  if (body === undefined) throw tooLarge();
  return body;
}

function tooLarge(): InvalidConfiguration {
  return new InvalidConfiguration([`A notification is smaller than ${bodyMax} bytes.`]);
}

/** From a file, the environment, the file of `cauri login`, or whoever sits at the terminal: never an argument. */
async function readSecret(options: VerifyOptions, isBodyOnInput: boolean): Promise<string> {
  const { secretFile } = options;
  if (secretFile !== undefined) {
    await readable(secretFile);
    if ((await stat(secretFile)).size > secretFileMax) throw new FileNotReadable(secretFile);
    // A line break at the end is the editor's; anything else is explained by what it does.
    return (await readFile(secretFile, "utf8")).replace(/\r?\n$/, "");
  }
  const { secretKey } = readOwnSettings(process.env);
  if (secretKey !== undefined) return secretKey;
  const profile = askedProfile(process.env, options.profile) ?? profileDefault;
  const kept = await readCredentials(profilePath(process.env, profile));
  if (typeof kept?.secretKey === "string") return kept.secretKey;
  const otherwise =
    "Set CAURI_SECRET_KEY to the secret key (sk_…), give --secret-file, or keep it with `cauri login`.";
  if (isBodyOnInput) throw new InvalidConfiguration([otherwise]);
  return askSecret("Secret key (sk_…, not shown): ", otherwise);
}
