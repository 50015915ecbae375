import { createHash } from "node:crypto";
import type { Held } from "./adapter.ts";
import { addresses, companies, nameOf } from "./cast.ts";
import { accountOf, roleIn, type State } from "./state.ts";
import type { World } from "./world.ts";

/**
 * What the database holds and the rules did not lead to: a role, link, session or waiting payment too many, or an account that is
 * not as it was left. What the product ends earlier than it must is no difference.
 */
export function differences(state: State, world: World, held: Held): string[] {
  const roles = held.roles.flatMap(({ companyId, email, role }) => {
    const company = world.companyIds.indexOf(companyId);
    const address = world.emails.indexOf(email);
    const isRight = roleIn(state, company, address) === role;
    return isRight ? [] : [`${nameOf(address)} is ${role} of ${companies[company] ?? ""}`];
  });
  const links = new Set(state.links.filter(({ isLive }) => isLive).map(hashOf));
  const sessions = new Set(state.sessions.filter(({ isLive }) => isLive).map(hashOf));
  const fresh = new Set(state.sessions.filter(({ isFresh }) => isFresh).map(hashOf));
  const waiting = new Set(state.proposals.filter(({ isWaiting }) => isWaiting).map(({ id }) => id));
  const requests = new Set(state.requests.filter(({ isOpen }) => isOpen).map(({ id }) => id));
  return [
    ...changedPeople(state, world, held),
    ...roles,
    ...held.links.filter((one) => !links.has(one)).map(() => "a link is good that was ended"),
    ...held.sessions
      .filter((one) => !sessions.has(one))
      .map(() => "a session is good that was ended"),
    ...held.fresh
      .filter((one) => !fresh.has(one))
      .map(() => "a session counts as proved that was not, or long ago"),
    ...held.waiting.filter((one) => !waiting.has(one)).map(() => "a payment waits that was ended"),
    ...held.requests
      .filter((one) => !requests.has(one))
      .map(() => "a request waits that was ended"),
    ...held.aloneMax
      .filter(
        ({ companyId, amount }) => state.aloneMax[world.companyIds.indexOf(companyId)] !== amount,
      )
      .map(({ amount }) => `one person pays out ${amount} alone`),
  ];
}

/** Exactly: an invitation changes no account that there is. */
function changedPeople(state: State, world: World, { people }: Held): string[] {
  return [...addresses.keys()].flatMap((address) => {
    const account = accountOf(state, address);
    const person = people.find(({ email }) => email === world.emails[address]);
    const password = person?.password ?? null;
    const found = [password, person?.hasFactor === true, person?.isOperator === true];
    account.stretched ??= password;
    const expected = [account.stretched, account.factor !== null, account.isOperator];
    const isRight = JSON.stringify(found) === JSON.stringify(expected);
    return isRight ? [] : [`the account of ${nameOf(address)} is not as it was left`];
  });
}

function hashOf({ token }: { readonly token: string }): string {
  return createHash("sha256").update(token).digest("hex");
}
