import type { Database } from "../database/database.ts";
import { type Browser, isStillSo, type LoginAnswer, open, welcome } from "./login.ts";
import { checkPassword } from "./passwords.ts";
import { selectPersonByEmail } from "./store.ts";

/**
 * Signs somebody in who holds a link to this address and knows the password of the account behind it. Tries are counted where the
 * link is. It is refused after the same time, whether there is no such account, it has no password, or it is not this one.
 */
export async function signInByLink(
  database: Database,
  now: Date,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
  lane: string,
): Promise<Exclude<LoginAnswer, { readonly kind: "wait" }>> {
  const person = await selectPersonByEmail(database, email);
  const caller = { isKnown: true, lane, hungUp: browser.hungUp };
  const isRight = await checkPassword(password, person?.password ?? null, caller);
  if (!isRight || person === undefined) return { kind: "refused", person };
  const isOpen = !person.hasSecondFactor;
  const token = await database.transaction(async (tx) => {
    if (!(await isStillSo(tx, person))) return undefined;
    if (isOpen) await welcome(tx, person, browser, "password");
    return open(tx, now, person, browser, isOpen);
  });
  if (token === undefined) return { kind: "refused", person };
  return { kind: "session", token, isOpen, person };
}
