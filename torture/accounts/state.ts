import type { CompanyRole } from "../../src/staff/roles.ts";
import { type Address, addresses, type Company, companies, type Human } from "./cast.ts";

/** What the rules say is true. Plain data, so that a race can be tried in both orders on a copy. */
export interface State {
  readonly accounts: Account[];
  /** By company and address. */
  readonly memberships: (Membership | null)[][];
  /** Who let an address into a company or raised its role, and who had let those in, by company and address. */
  readonly introducers: Address[][][];
  /** What one person may pay out alone within a day, by company. */
  readonly aloneMax: number[];
  readonly links: LinkState[];
  readonly sessions: SessionState[];
  readonly proposals: ProposalState[];
  readonly keys: KeyState[];
  readonly requests: RequestState[];
}

export interface Account {
  /** Who has chosen the password, and so acts as this account; null: the address has none. */
  controller: Human | null;
  password: string | null;
  /** As the database keeps the password; undefined: not looked at yet. */
  stretched: string | null | undefined;
  factor: { readonly holder: Human; readonly secret: string } | null;
  isOperator: boolean;
}

export interface Membership {
  role: CompanyRole;
}

export interface LinkState {
  readonly token: string;
  readonly purpose: "join" | "reset";
  readonly to: Address;
  readonly company: Company | null;
  readonly role: CompanyRole | null;
  /** Null: the operator. */
  readonly by: Address | null;
  /** Everybody who can open it. */
  readonly known: Human[];
  isLive: boolean;
}

export interface SessionState {
  readonly token: string;
  readonly address: Address;
  readonly holder: Human;
  company: Company | null;
  readonly isOpen: boolean;
  isLive: boolean;
  /** Its person has proved to be there a moment ago. */
  isFresh: boolean;
}

export interface ProposalState {
  readonly id: string;
  readonly hash: string;
  readonly company: Company;
  readonly madeBy: Address;
  readonly hands: readonly Address[];
  /** Who of flesh and blood had a hand in it. */
  readonly humans: readonly Human[];
  isWaiting: boolean;
}

/** What one owner has asked for, and a second one or the operator has to confirm. */
export interface RequestState {
  readonly id: string;
  readonly company: Company;
  readonly by: Address;
  readonly human: Human;
  /** Whom it concerns; null: a rule. */
  readonly about: Address | null;
  readonly role: CompanyRole | null;
  readonly aloneMax: number | null;
  isOpen: boolean;
}

interface KeyState {
  readonly company: Company;
  readonly madeBy: Address;
}

/** What a rule is called in a finding. */
export type Rule =
  /** Nobody acts for a company without an active membership that allows it. */
  | "membership"
  /** Nobody decides about what they had a hand in, or somebody who let them in. */
  | "four eyes"
  /** What gives power takes effect by two powers. */
  | "two powers"
  /** One human is never two people. */
  | "second self"
  /** A password is set by the human whose account it is. */
  | "password"
  /** It is set by a link that was made for it. */
  | "purpose"
  /** Nobody is signed in as somebody else. */
  | "identity"
  /** What was ended has no effect. */
  | "ended session"
  | "ended link"
  | "ended payment"
  | "ended request"
  /** What the database holds is what the rules led to. */
  | "state";

export class Violation extends Error {
  readonly rule: Rule;

  constructor(rule: Rule, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}

export function firstState(): State {
  return {
    accounts: addresses.map(({ human, isKnown, isOperator = false }) => ({
      controller: isKnown ? human : null,
      password: null,
      stretched: undefined,
      factor: null,
      isOperator,
    })),
    memberships: companies.map((_, company) =>
      addresses.map(({ roles }) => {
        const role = roles[company];
        return role === undefined ? null : { role };
      }),
    ),
    introducers: companies.map(() => addresses.map(() => [])),
    aloneMax: companies.map(() => 0),
    links: [],
    sessions: [],
    proposals: [],
    keys: [],
    requests: [],
  };
}

export function accountOf(state: State, address: Address): Account {
  const account = state.accounts[address];
  if (account === undefined) throw new Error(`there is no account ${address}`);
  return account;
}

/** A session, a link or a payment as this state has it, which may be a copy. */
export function sessionIn(state: State, { token }: Pick<SessionState, "token">): SessionState {
  return found(state.sessions.find((one) => one.token === token));
}

export function linkIn(state: State, { token }: Pick<LinkState, "token">): LinkState {
  return found(state.links.find((one) => one.token === token));
}

export function proposalIn(state: State, { id }: Pick<ProposalState, "id">): ProposalState {
  return found(state.proposals.find((one) => one.id === id));
}

export function requestIn(state: State, { id }: Pick<RequestState, "id">): RequestState {
  return found(state.requests.find((one) => one.id === id));
}

function found<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error("the model knows what it used");
  return item;
}

export function roleIn(state: State, company: Company, address: Address): CompanyRole | null {
  return state.memberships[company]?.[address]?.role ?? null;
}
