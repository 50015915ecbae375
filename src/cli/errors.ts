import { OutcomeUnknown } from "../database/errors.ts";
import { OperatorError } from "../kernel/operator-error.ts";

export class NotConfirmed extends OperatorError {
  constructor(why: string) {
    super(`Nothing was done: ${why}. With --yes the command does not ask.`);
  }
}

/** An answer was lost on the way: what to send again is known only here. */
export class MovementOutcomeUnknown extends OperatorError {
  constructor(reference: string, options?: ErrorOptions) {
    super(
      `It is not known yet whether the money was moved. Run the command again with --reference ${JSON.stringify(reference)}: it will not be moved twice.`,
      options,
    );
  }
}

/** Moves money under a reference. A commit whose answer was lost is told with what to repeat. */
export async function orUnknown<Result>(
  reference: string,
  move: () => Promise<Result>,
): Promise<Result> {
  return move().catch((error: unknown) => {
    throw error instanceof OutcomeUnknown
      ? new MovementOutcomeUnknown(reference, { cause: error })
      : error;
  });
}

export class NothingFound extends OperatorError {
  constructor(what: string, text: string) {
    super(`There is no ${what} ${text}. Give its id or reference as the service has answered it.`);
  }
}

export class NothingToChange extends OperatorError {
  constructor(command: string) {
    super(`Nothing to change was given. \`cauri ${command} --help\` says what can be.`);
  }
}

export class SeveralFound extends OperatorError {
  constructor(what: string, text: string, companies: readonly string[]) {
    super(
      `Several companies have a ${what} ${text}: ${companies.join(", ")}. Say which one is meant with --company.`,
    );
  }
}

export class FileNotReadable extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not a file that can be read. Check the name and its permissions.`, options);
  }
}

export class FileExists extends OperatorError {
  constructor(path: string) {
    super(`${path} is already there. Move it away, or give another name.`);
  }
}

/** An answer of a service, or none, in words and in facts for a program. */
export class CallFailed extends OperatorError {
  readonly code: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly exitCode: number;

  constructor(message: string, { code, exitCode = 1, facts = {}, ...options }: CallFailedOptions) {
    super(message, options);
    this.code = code;
    this.facts = facts;
    this.exitCode = exitCode;
  }
}

interface CallFailedOptions extends ErrorOptions {
  readonly code: string;
  readonly exitCode?: number;
  readonly facts?: Readonly<Record<string, unknown>>;
}

export class NobodyToAsk extends OperatorError {
  constructor(otherwise: string) {
    super(`Nobody answered. ${otherwise}`);
  }
}

export class NotLoggedIn extends OperatorError {
  constructor(profile?: string) {
    super(
      profile === undefined
        ? "Nobody is logged in. Run `cauri login`, or set CAURI_TOKEN to the access token (at_…) of the company, and CAURI_URL to the address of the service."
        : `Nobody is logged in under the profile ${profile}. Run \`cauri login --profile ${profile}\`; \`cauri profiles\` shows those that there are.`,
    );
  }
}

export class ProfileNotFound extends OperatorError {
  constructor(profile: string, names: readonly string[]) {
    const others = names.length === 0 ? "There is none at all." : `There are ${names.join(", ")}.`;
    super(`There is no profile ${profile}. ${others} Nothing was removed.`);
  }
}

/** CAURI_TOKEN is one login, and a profile another. */
export class TwoLogins extends OperatorError {
  constructor(profile: string) {
    super(
      `CAURI_TOKEN is set, and the profile ${profile} is asked for: it is not clear whose token is meant, so none is used. Unset CAURI_TOKEN to use the profile, or leave out the profile (--profile, CAURI_PROFILE).`,
    );
  }
}

/** A token that was kept for one address is not shown to another. */
export class LoggedInElsewhere extends OperatorError {
  constructor(here: string, there: string) {
    super(
      `You are logged in at ${here}, and its token is not sent to ${there}. Run \`cauri login --url ${there} --profile NAME\` to keep both, or set CAURI_TOKEN.`,
    );
  }
}

export class CredentialsExposed extends OperatorError {
  constructor(path: string, mode: number) {
    super(
      `${path} can be used by others on this machine (mode ${mode.toString(8)}), so its token is not. If nobody has read it: chmod 600 ${path}. Otherwise ask the operator for new keys, and run \`cauri login\`.`,
    );
  }
}

export class CredentialsUnreadable extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} cannot be read as what \`cauri login\` keeps. Run \`cauri login\` again.`,
      options,
    );
  }
}

export class NotStaging extends OperatorError {
  constructor(what: string, environment: string | undefined) {
    super(
      environment === "production"
        ? `This is production: ${what} works in staging only, where no money is real. Nothing was done.`
        : `The service does not say that it is staging: ${what} works in staging only. Nothing was done.`,
    );
  }
}

/** What was meant for the body of a request. */
export class BodyNotJson extends OperatorError {
  constructor(why: string, options?: ErrorOptions) {
    super(
      `What -d gives cannot be sent: ${why}. Give an object of JSON in single quotes, or a file of it: -d @body.json. Nothing was sent.`,
      options,
    );
  }
}

export class InvalidQuery extends OperatorError {
  constructor(what: string) {
    super(`${what} Give each parameter once, as -q name=value. Nothing was sent.`);
  }
}

export class CannotBeTriggered extends OperatorError {}

export class ReferenceTaken extends OperatorError {
  constructor(reference: string, what: string) {
    super(
      `${JSON.stringify(reference)} belongs to something else: ${what}. Nothing was done; give a new one.`,
    );
  }
}

export class CompanyAndRoleMismatch extends OperatorError {
  constructor() {
    super("Give --company for every role but operator, which has none.");
  }
}
