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
