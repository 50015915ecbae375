import { OperatorError } from "../../kernel/operator-error.ts";

export class NotAnExport extends OperatorError {
  constructor(path: string, options?: ErrorOptions) {
    super(
      `${path} is not a statement as Cauri exports it: its first row does not name the columns of one.`,
      options,
    );
  }
}

export class UnreadableWitness extends OperatorError {
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} cannot be used: ${what}.`, options);
  }
}
