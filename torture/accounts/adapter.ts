import type { CompanyRole } from "../../src/staff/roles.ts";

/** The one place between the model and the product: what people do, and what the database holds afterwards. */
export interface Adapter {
  signIn(at: At, email: string, password: string): Promise<Answer<NewSession>>;
  /** The second step, with a code of the app. */
  confirmSignIn(at: At, session: string, secret: string): Promise<Answer<NewSession>>;
  /** Sets up a second factor; `current` is the secret of the one there is. */
  setFactor(at: At, session: string, current: string | undefined): Promise<Answer<NewFactor>>;
  /** A code once more, in a session that is open. */
  stepUp(at: At, session: string, secret: string): Promise<Answer>;
  /** As if minutes had passed since its person proved to be there. */
  goStale(at: At, session: string): Promise<Answer>;
  chooseCompany(at: At, session: string, companyId: string): Promise<Answer>;

  invite(at: At, session: string, email: string, role: CompanyRole): Promise<Answer<NewLink>>;
  /** As somebody new, with a password that is chosen, or signed in to the account there is. */
  useLink(at: At, link: string, visitor: Visitor): Promise<Answer<Joined>>;
  /** The password of the account that a link leads to, on the page of the link. */
  signInByLink(at: At, link: string, password: string): Promise<Answer<NewSession>>;
  removeMember(at: At, session: string, email: string): Promise<Answer>;
  changeRole(at: At, session: string, email: string, role: CompanyRole): Promise<Answer<Waiting>>;
  changeRule(at: At, session: string, aloneMax: number): Promise<Answer<Waiting>>;
  /** By an owner, or by an operator in the console. */
  decideRequest(at: At, session: string, request: string, verdict: Word): Promise<Answer>;

  createKey(at: At, session: string): Promise<Answer>;
  propose(at: At, session: string, amount: number): Promise<Answer<NewProposal>>;
  decide(
    at: At,
    session: string,
    proposal: { readonly id: string; readonly hash: string },
    verdict: "approve" | "refuse",
    secret: string,
  ): Promise<Answer>;

  /** What the operator types. */
  inviteByOperator(
    at: At,
    email: string,
    companyId: string,
    role: CompanyRole,
  ): Promise<Answer<NewLink>>;
  removeByOperator(at: At, email: string, companyId: string): Promise<Answer>;
  decideByOperator(at: At, request: string, verdict: Word): Promise<Answer>;
  reset(at: At, email: string): Promise<Answer<NewLink>>;

  look(at: At, emails: readonly string[], companyIds: readonly string[]): Promise<Held>;
}

/** On which node, and when by its clock: each code of an app is good once, so time goes on. */
export interface At {
  readonly node: number;
  readonly now: Date;
  /** Where whoever does it sits. */
  readonly address: string;
}

export type Answer<Value = object> =
  | ({ readonly isDone: true } & Value)
  /** Whatever the product said; nothing was done. */
  | { readonly isDone: false; readonly why: string };

export interface NewSession {
  readonly session: string;
  readonly isOpen: boolean;
}

interface NewFactor {
  /** Of the app, in hexadecimal digits. */
  readonly secret: string;
}

interface NewLink {
  readonly link: string;
}

interface NewProposal {
  readonly id: string;
  readonly hash: string;
  readonly isWaiting: boolean;
}

type Visitor =
  /** The password as it is to be kept, and as it is typed. */
  | { readonly kind: "new"; readonly stretched: string; readonly text: string }
  | { readonly kind: "signedIn"; readonly session: string };

interface Joined extends NewSession, Waiting {}

interface Waiting {
  /** What has to be confirmed first; undefined: it is in force. */
  readonly request: string | undefined;
}

type Word = "confirm" | "refuse";

/** What the database holds of these people and companies. */
export interface Held {
  readonly people: readonly {
    readonly email: string;
    readonly password: string | null;
    readonly hasFactor: boolean;
    readonly isOperator: boolean;
  }[];
  /** What members may act as. */
  readonly roles: readonly {
    readonly companyId: string;
    readonly email: string;
    readonly role: CompanyRole;
  }[];
  /** SHA-256 of the tokens of links and sessions that are good, in hexadecimal digits. */
  readonly links: readonly string[];
  readonly sessions: readonly string[];
  /** Of the sessions, those whose person has proved to be there a moment ago. */
  readonly fresh: readonly string[];
  readonly waiting: readonly string[];
  /** Ids of what waits for a second owner or the operator. */
  readonly requests: readonly string[];
  /** What one person may pay out alone. */
  readonly aloneMax: readonly { readonly companyId: string; readonly amount: number }[];
}
