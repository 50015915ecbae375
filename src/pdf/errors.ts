import { OperatorError } from "../kernel/operator-error.ts";

/** A document that is not, byte for byte, one that Cauri has written. */
export class NotAsWritten extends OperatorError {
  constructor(at: number, options?: ErrorOptions) {
    super(`From byte ${at} on, the PDF is not as Cauri writes it.`, options);
  }
}
