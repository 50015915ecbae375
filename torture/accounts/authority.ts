import {
  type CompanyRole,
  mayMore,
  needsSecondFactor,
  type Permission,
  roleMay,
} from "../../src/staff/roles.ts";
import { type Address, addresses, type Company, type Human, humanOf, partOf } from "./cast.ts";
import {
  accountOf,
  type Membership,
  roleIn,
  type SessionState,
  type State,
  sessionIn,
  Violation,
} from "./state.ts";

/** Everybody who let this address in, and who let those in, however far back. */
export function introducersOf(state: State, company: Company, address: Address): Address[] {
  const found = new Set<Address>();
  const toFollow = [address];
  for (let one = toFollow.pop(); one !== undefined; one = toFollow.pop())
    for (const introducer of state.introducers[company]?.[one] ?? [])
      if (!found.has(introducer)) {
        found.add(introducer);
        toFollow.push(introducer);
      }
  found.delete(address);
  return [...found];
}

/** Takes effect: a new member, or another role. `by` asked for it; null: the operator did. */
export function letIn(
  state: State,
  company: Company,
  address: Address,
  role: CompanyRole,
  by: Address | null,
): void {
  const before = roleIn(state, company, address);
  const lineage = by === null ? [] : [by, ...introducersOf(state, company, by)];
  const earlier = before === null ? [] : (state.introducers[company]?.[address] ?? []);
  const introducers = state.introducers[company];
  if (introducers !== undefined) introducers[address] = [...earlier, ...lineage];
  setMembership(state, company, address, { role });
  if (before !== null && mayMore(before, role)) endIn(state, company, address);
}

/**
 * Whether the human behind an address, or whoever uses it, has another account that is a member there: nobody else would knowingly
 * let in a second one.
 */
export function hasAnother(state: State, company: Company, address: Address): boolean {
  const behind = new Set<Human | null>([humanOf(address), accountOf(state, address).controller]);
  behind.delete(null);
  return [...addresses.keys()].some(
    (other) =>
      other !== address &&
      roleIn(state, company, other) !== null &&
      (behind.has(humanOf(other)) || behind.has(accountOf(state, other).controller)),
  );
}

/** Somebody else has an account at this address: its human says so when asked. */
export function isTaken(state: State, address: Address): boolean {
  const { controller } = accountOf(state, address);
  return controller !== null && controller !== humanOf(address);
}

/** Throws unless this session may do this now: it is good, of whom it says, and of a member who may. */
export function permit(
  state: State,
  session: Pick<SessionState, "token">,
  permission: Permission,
  takesFresh = permission === "team.manage" || permission === "keys.manage",
): Company {
  const { address, holder, company, isOpen, isLive, isFresh } = sessionIn(state, session);
  const who = partOf(address).name;
  if (!isLive)
    throw new Violation("ended session", `a session of ${who} that was ended did something`);
  const account = accountOf(state, address);
  if (!isOpen || account.controller !== holder)
    throw new Violation("identity", `something was done as ${who} by somebody else`);
  const role = company === null ? null : roleIn(state, company, address);
  if (company === null || role === null || !roleMay(role, permission))
    throw new Violation(
      "membership",
      `${who} did what takes ${permission}, as ${role ?? "nobody"}`,
    );
  if (needsSecondFactor(role) && account.factor === null)
    throw new Violation("identity", `${who} did something as ${role} without a second factor`);
  if (takesFresh && !isFresh)
    throw new Violation("identity", `${who} did what takes a fresh second factor, without one`);
  return company;
}

export function leave(state: State, company: Company, address: Address): void {
  setMembership(state, company, address, null);
  const introducers = state.introducers[company];
  if (introducers !== undefined) introducers[address] = [];
  endIn(state, company, address);
}

const powers: readonly Permission[] = [
  "transfers.propose",
  "refunds.propose",
  "charges.propose",
  "approvals.decide",
  "keys.manage",
  "webhooks.manage",
  "team.manage",
  "sub_companies.manage",
];

/** Whether a role may do something that the other may not; looking on is no power. */
export function givesPower(before: CompanyRole, after: CompanyRole): boolean {
  return powers.some((permission) => roleMay(after, permission) && !roleMay(before, permission));
}

/** Nothing of this address has any effect in a company any more. */
export function endIn(state: State, company: Company, address: Address): void {
  for (const session of state.sessions) if (session.address === address) session.isLive = false;
  for (const link of state.links)
    if (link.company === company && (link.to === address || link.by === address))
      link.isLive = false;
  for (const proposal of state.proposals)
    if (proposal.company === company && proposal.madeBy === address) proposal.isWaiting = false;
  for (const request of state.requests)
    if (request.company === company && (request.by === address || request.about === address))
      request.isOpen = false;
}

function setMembership(
  state: State,
  company: Company,
  address: Address,
  membership: Membership | null,
): void {
  const members = state.memberships[company];
  if (members !== undefined) members[address] = membership;
}
