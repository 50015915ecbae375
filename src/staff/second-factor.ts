import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Tx } from "../database/database.ts";
import { type SecretBox, secretBox } from "../kernel/secret-box.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { deletePasskeysOf } from "./passkeys-store.ts";
import { recordEverywhere } from "./people.ts";
import type { Person } from "./person.ts";
import { recordCredentials } from "./record-credentials.ts";
import {
  countRecoveryCodes,
  lockSecondFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  updateSecondFactor,
} from "./second-factor-store.ts";
import { stepOfCode, toBase32 } from "./totp.ts";

const secretBytes = 20;
const recoveryCodesGiven = 10;
const recoveryBytes = 10;

/**
 * The secret that a session is about to set up. It follows from the session, so that the page can be opened again, and
 * needs no place to be kept; nobody can choose it. A person who has one already gets another.
 */
export function pendingSecret(box: SecretBox, sessionToken: string, person: Person): Buffer {
  const key = box.deriveKey("second factor to set up");
  return createHmac("sha256", key)
    .update(`${person.hasSecondFactor ? "another" : "first"} ${sessionToken}`)
    .digest()
    .subarray(0, secretBytes);
}

/** Sets the second factor that somebody has just proved to have, and gives new recovery codes; undefined: the code is wrong. */
export async function setSecondFactor(
  tx: Tx,
  box: SecretBox,
  now: Date,
  person: Person,
  secret: Buffer,
  code: string,
  by: ConsolePerson,
): Promise<readonly string[] | undefined> {
  await lockSecondFactor(tx, person.id);
  const step = stepOfCode(secret, readCode(code) ?? "", now);
  if (step === undefined) return undefined;
  await updateSecondFactor(tx, person.id, seal(box, person.id, secret), step);
  const codes = Array.from({ length: recoveryCodesGiven }, newRecoveryCode);
  await replaceRecoveryCodes(tx, person.id, codes.map(hashRecoveryCode));
  await recordEverywhere(tx, person, by, { action: "person.second_factor_set" });
  await recordCredentials(tx, person.id, by);
  return codes;
}

/**
 * Uses up what somebody typed: a code of the app, or a recovery code. Each is good once, decided by a write of this
 * transaction: of two who come with the same, one is right.
 */
export async function useSecondFactor(
  tx: Tx,
  box: SecretBox,
  now: Date,
  person: Pick<Person, "id" | "email">,
  typed: string,
  by: ConsolePerson,
): Promise<boolean> {
  const factor = await lockSecondFactor(tx, person.id);
  if (factor?.sealed == null) return false;
  const code = readCode(typed);
  if (code !== undefined) {
    const step = stepOfCode(open(box, person.id, factor.sealed), code, now);
    return step !== undefined && takeStep(tx, person.id, step);
  }
  const recovery = readRecoveryCode(typed);
  if (recovery === undefined) return false;
  if (!(await takeRecoveryCode(tx, person.id, hashRecoveryCode(recovery)))) return false;
  const left = await countRecoveryCodes(tx, person.id);
  await recordEverywhere(tx, person, by, { action: "person.recovery_code_used", to: { left } });
  return true;
}

/** Nothing is left of it, nor of what stands in for it: the person signs in by a link again. */
export async function clearSecondFactor(tx: Tx, personId: string): Promise<void> {
  await deletePasskeysOf(tx, personId);
  await updateSecondFactor(tx, personId, null, 0);
  await replaceRecoveryCodes(tx, personId, []);
}

/** Six digits, however they were grouped. */
function readCode(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s.-]/g, "");
  return /^[0-9]{6}$/.test(text) ? text : undefined;
}

function readRecoveryCode(typed: string): string | undefined {
  const text = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  return /^[A-Z2-7]{16}$/.test(text) ? text : undefined;
}

/** ABCD-EFGH-IJKL-MNOP: eighty bits, so that its hash needs no salt. */
function newRecoveryCode(): string {
  return toBase32(randomBytes(recoveryBytes)).replaceAll(/(.{4})(?=.)/g, "$1-");
}

function hashRecoveryCode(code: string): Buffer {
  return createHash("sha256").update(code.replaceAll("-", "")).digest();
}

/**
 * Sealed with a key of its own that the vault keeps under the master key: when that is changed, the vault's keys are
 * sealed anew, and these secrets open as before.
 */
function boxOf(box: SecretBox): SecretBox {
  return secretBox(box.deriveKey("second factor"));
}

function seal(box: SecretBox, personId: string, secret: Buffer): Buffer {
  return boxOf(box).seal(secret.toString("base64"), `person ${personId}`);
}

function open(box: SecretBox, personId: string, sealed: Buffer): Buffer {
  return Buffer.from(boxOf(box).open(sealed, `person ${personId}`), "base64");
}
