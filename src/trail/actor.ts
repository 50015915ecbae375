import { userInfo } from "node:os";

/** Who changes something: the operator at the command line, whoever holds a company's key, or a person in the console. Never a token. */
export type Actor = Operator | KeyHolder | ConsolePerson;

export interface Operator {
  /** The account on the machine where the command runs. */
  readonly operator: string;
  /** The command, such as "company fund". */
  readonly via: string;
}

export interface KeyHolder {
  readonly keyId: string;
  /** Where the request came from. */
  readonly address: string;
  /** The route, such as "POST /v1/webhooks". */
  readonly via: string;
}

export interface ConsolePerson {
  readonly personId: string;
  /** Where the form was sent from. */
  readonly address: string;
  /** The route, such as "POST /console/team/invite". */
  readonly via: string;
  /** What the person is signed in with. Once it has ended, nothing that was begun in it takes effect. */
  readonly sessionId?: string;
  /** Works for the operator, and for no company, while doing it. */
  readonly isOperator?: true;
}

/** Whoever acts for the operator, at the command line or in the console. */
export function isOperator(by: Actor): boolean {
  return "operator" in by || ("isOperator" in by && by.isOperator);
}

/** Whoever runs this process. Without a command it is a program that uses the folders directly. */
export function operator(command = "a program"): Operator {
  return { operator: accountName(), via: command };
}

/** A process may run under a number that no account has. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
