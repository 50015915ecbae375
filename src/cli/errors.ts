import { OperatorError } from "../kernel/operator-error.ts";

export class CrossedBounds extends OperatorError {
  constructor(what: string, min: number, max: number) {
    super(
      `The smallest (${min}) would be above the largest (${max}): give --${what}-min and --${what}-max so that they fit.`,
    );
  }
}

export class NotConfirmed extends OperatorError {
  constructor(why: string) {
    super(`Nothing was done: ${why}. With --yes the command does not ask.`);
  }
}

/** An answer was lost on the way: what to send again is known only here. */
export class FundingOutcomeUnknown extends OperatorError {
  constructor(reference: string, options?: ErrorOptions) {
    super(
      `It is not known yet whether the money was added. Run the command again with --reference ${JSON.stringify(reference)}: it will not be added twice.`,
      options,
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
    super(`${path} is already there. Move it away, or give --output.`);
  }
}
