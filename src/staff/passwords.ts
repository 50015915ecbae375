import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { normalized } from "../kernel/normalized.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { type PasswordCaller, PasswordQueue } from "./password-queue.ts";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

export const passwordMin = 12;
const passwordMax = 200;

/** 32 MiB and about a tenth of a second of one core: dear for whoever guesses, cheap for whoever signs in. */
const cost = { log2N: 15, r: 8, p: 3 } as const;
const saltBytes = 16;
const keyBytes = 32;

/** Two of the four threads that files and names of hosts are looked up with, one of them for known callers alone. */
const queue = new PasswordQueue({
  atOnce: 2,
  strangersAtOnce: 1,
  waitingPerLane: 4,
  waiting: 60,
});

export type PasswordProblem = "short" | "long" | "common";

/** Why a password may not be chosen; undefined when it may. */
export function passwordProblemOf(password: string, email: string): PasswordProblem | undefined {
  const length = Array.from(password).length;
  if (length < passwordMin) return "short";
  if (length > passwordMax) return "long";
  return isCommonPassword(password, email) ? "common" : undefined;
}

/**
 * With the parameters it was made with, so that they can become others. Only somebody who is signed in or holds a link
 * chooses a password: `holder` says who, and has places that strangers cannot take. Throws TooBusyForPasswords.
 */
export async function hashPassword(password: string, holder: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await stretch(password, salt, cost, { isKnown: true, lane: holder });
  const { log2N, r, p } = cost;
  return ["scrypt", log2N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Of nobody: whoever does not exist is looked at for as long as whoever does. */
const nobody = [
  "scrypt",
  cost.log2N,
  cost.r,
  cost.p,
  Buffer.alloc(saltBytes).toString("base64url"),
  Buffer.alloc(keyBytes).toString("base64url"),
].join("$");

/** Takes the same time whether there is a password or not. Throws TooBusyForPasswords. */
export async function checkPassword(
  password: string,
  stored: string | null,
  caller: PasswordCaller,
): Promise<boolean> {
  const [, log2N, r, p, salt = "", key = ""] = (stored ?? nobody).split("$");
  const parameters = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  // A text of any length could be sent; none that long was ever accepted.
  const typed = password.slice(0, passwordMax * 2);
  const found = await stretch(typed, Buffer.from(salt, "base64url"), parameters, caller);
  return timingSafeEqual(found, Buffer.from(key, "base64url")) && stored !== null;
}

function stretch(
  password: string,
  salt: Buffer,
  { log2N, r, p }: { readonly log2N: number; readonly r: number; readonly p: number },
  caller: PasswordCaller,
): Promise<Buffer> {
  const N = 2 ** log2N;
  // Off the event loop: the thread pool does it.
  return queue.run(caller, () =>
    derive(normalized(password, "NFC"), salt, keyBytes, { N, r, p, maxmem: 256 * N * r }),
  );
}
