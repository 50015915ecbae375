import { needsSecondFactor } from "../../src/staff/roles.ts";
import { type Act, act, perform } from "./act.ts";
import type { Answer, At, NewSession } from "./adapter.ts";
import { type Address, type Company, companies, humans, nameOf } from "./cast.ts";
import { accountOf, roleIn, type SessionState, type State, sessionIn, Violation } from "./state.ts";
import type { KnownPassword, World } from "./world.ts";

/** Tries a password at an address. */
export function signIn(world: World, address: Address, password: KnownPassword): Act {
  return enterBy(
    address,
    password,
    `${humans[password.human] ?? ""} signs in as ${nameOf(address)}`,
    (at) => world.adapter.signIn(at, world.emails[address] ?? "", password.text),
  );
}

/** Whatever page a password is typed on: it lets in whose it is, and nobody without the second factor. */
export function enterBy(
  address: Address,
  password: KnownPassword,
  words: string,
  type: (at: At) => Promise<Answer<NewSession>>,
): Act {
  return act("signed in", words, type, (state, { session, isOpen }) => {
    const account = accountOf(state, address);
    if (account.password !== password.text || account.controller !== password.human)
      throw new Violation("identity", `somebody else is signed in as ${nameOf(address)}`);
    if (isOpen && account.factor !== null)
      throw new Violation("identity", `somebody is signed in without the second factor`);
    addSession(state, session, address, password.human, isOpen);
  });
}

/** The second step, with the app of whoever holds the session. */
export function takeSecondStep(world: World, half: SessionState, secret: string): Act {
  return act(
    "signed in",

    `${humans[half.holder] ?? ""} takes the second step as ${nameOf(half.address)}`,
    (at) => world.adapter.confirmSignIn(at, half.token, secret),
    (state, { session }) => {
      const account = accountOf(state, half.address);
      if (!sessionIn(state, half).isLive)
        throw new Violation("ended session", "an ended session took the second step");
      if (account.factor?.secret !== secret || account.controller !== half.holder)
        throw new Violation(
          "identity",
          `a wrong second factor let somebody in as ${nameOf(half.address)}`,
        );
      addSession(state, session, half.address, half.holder, true);
    },
  );
}

/** Sets up a second factor, in place of the one there is. */
export function setFactor(world: World, session: SessionState, current: string | undefined): Act {
  return act(
    "factors set",

    `${nameOf(session.address)} sets up a second factor`,
    (at) => world.adapter.setFactor(at, session.token, current),
    (state, { secret }) => {
      const account = accountOf(state, session.address);
      if (!sessionIn(state, session).isLive)
        throw new Violation("ended session", "an ended session set a factor up");
      if (account.controller !== session.holder)
        throw new Violation(
          "identity",
          `a factor of ${nameOf(session.address)} is somebody else's`,
        );
      if (account.factor !== null && account.factor.secret !== current)
        throw new Violation(
          "identity",
          `a factor of ${nameOf(session.address)} was replaced without it`,
        );
      account.factor = { holder: session.holder, secret };
      sessionIn(state, session).isFresh = true;
    },
  );
}

/** A code once more, in a session that is open. */
export function stepUp(world: World, session: SessionState, secret: string): Act {
  return act(
    "stepped up",
    `${nameOf(session.address)} shows the second factor again`,
    (at) => world.adapter.stepUp(at, session.token, secret),
    (state) => {
      const proved = sessionIn(state, session);
      if (!proved.isLive) throw new Violation("ended session", "an ended session was proved");
      if (accountOf(state, session.address).factor?.secret !== secret)
        throw new Violation("identity", "a wrong code was taken for a proof");
      proved.isFresh = true;
    },
  );
}

/** An open session of whoever controls this address, working for this company; signs in if need be. Undefined: there is none. */
export async function ready(
  state: State,
  world: World,
  address: Address,
  company: Company,
): Promise<SessionState | undefined> {
  const session = await signedIn(state, world, address);
  if (session === undefined) return undefined;
  const role = roleIn(state, company, address);
  const { factor } = accountOf(state, address);
  if (role !== null && needsSecondFactor(role) && factor === null)
    await perform(state, world, setFactor(world, session, undefined));
  if (role !== null && session.company !== company)
    await perform(state, world, chooseCompany(world, session, company));
  return session;
}

/** An open session of whoever controls this address. */
export async function signedIn(
  state: State,
  world: World,
  address: Address,
): Promise<SessionState | undefined> {
  const account = accountOf(state, address);
  const isOwn = (session: SessionState) =>
    session.isLive && session.address === address && session.holder === account.controller;
  const open = state.sessions.findLast((session) => isOwn(session) && session.isOpen);
  if (open !== undefined) return open;
  const password = world.passwords.findLast(
    ({ human, text }) => human === account.controller && text === account.password,
  );
  if (password === undefined) return undefined;
  await perform(state, world, signIn(world, address, password));
  const half = state.sessions.findLast(isOwn);
  if (half === undefined || half.isOpen || account.factor === null) return half;
  await perform(state, world, takeSecondStep(world, half, account.factor.secret));
  return state.sessions.findLast((session) => isOwn(session) && session.isOpen);
}

function chooseCompany(world: World, session: SessionState, company: Company): Act {
  return act(
    "companies chosen",

    `${nameOf(session.address)} turns to ${companies[company] ?? ""}`,
    (at) => world.adapter.chooseCompany(at, session.token, world.companyIds[company] ?? ""),
    (state) => {
      const chosen = sessionIn(state, session);
      if (!chosen.isLive) throw new Violation("ended session", "an ended session chose a company");
      chosen.company = company;
    },
  );
}

export function addSession(
  state: State,
  token: string,
  address: Address,
  holder: number,
  isOpen: boolean,
): void {
  const first = companies.findIndex((_, one) => roleIn(state, one, address) !== null);
  state.sessions.push({
    token,
    address,
    holder,
    company: first === -1 ? null : first,
    isOpen,
    isLive: true,
    isFresh: isOpen,
  });
}
