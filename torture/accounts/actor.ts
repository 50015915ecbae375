import fc from "fast-check";
import { type CompanyRole, companyRoles, type Permission, roleMay } from "../../src/staff/roles.ts";
import { pick } from "./act.ts";
import { addresses, companies } from "./cast.ts";
import { ready } from "./sign-in.ts";
import { roleIn, type SessionState, type State } from "./state.ts";
import type { World } from "./world.ts";

export const address = fc.nat(addresses.length - 1);
export const role = fc.constantFrom<CompanyRole>("owner", "approver", ...companyRoles);
export const company = fc.nat(companies.length - 1);
/** A place in a list; the first one more often. */
export const number = fc.oneof(fc.constant(0), fc.nat(20));
const seldom = fc.nat(5).map((chance) => chance === 5);

/** Whoever does something: mostly somebody who may do it there, now and then anybody, or with a session that was good once. */
export const actor = fc.record({
  number: fc.nat(20),
  where: company,
  isAnybody: seldom,
  isOld: seldom,
});
type Actor = typeof actor extends fc.Arbitrary<infer Value> ? Value : never;

/** The session with which somebody acts: a good one, for which they sign in if need be, or one that has ended. */
export async function sessionOf(
  state: State,
  world: World,
  { number: which, where, isAnybody, isOld }: Actor,
  permission: Permission,
): Promise<SessionState | undefined> {
  const everybody = [...addresses.keys()];
  const able = everybody.filter((one) => {
    const held = roleIn(state, where, one);
    return held !== null && roleMay(held, permission);
  });
  const who = pick(isAnybody ? everybody : able, which);
  if (who === undefined) return undefined;
  const ended = state.sessions.find((session) => session.address === who && !session.isLive);
  return isOld && ended !== undefined ? ended : ready(state, world, who, where);
}
