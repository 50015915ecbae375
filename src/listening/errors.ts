import { OperatorError } from "../kernel/operator-error.ts";
import { toVisible } from "../kernel/visible.ts";

/** The service understood, and will not: asking again would change nothing. */
export class EventsRefused extends OperatorError {
  constructor(status: number, code: string, message: string) {
    super(toVisible(`The service refuses: ${status} ${code}. ${message}`));
  }
}
