import { OperatorError } from "../kernel/operator-error.ts";

/** Another process of this node did not say anything in time. */
export class NoAnswer extends Error {
  constructor(what: string) {
    super(`no answer about ${what} from another process of this node`);
  }
}

/** One of the processes could not begin, and said why. */
export class ProcessNotStarted extends OperatorError {}

export class ProcessesKeepEnding extends OperatorError {
  constructor(what: string, times: number, ending: string) {
    super(
      `${what} ended ${times} times in a row soon after its start, the last time by ${ending}. The service stops; the log says what happened before.`,
    );
  }
}

export class AnotherRelease extends OperatorError {
  constructor(running: string, found: string) {
    super(
      `The service runs release ${running}, and ${found} is installed now. Restart the service itself for that.`,
    );
  }
}
