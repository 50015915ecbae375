/** A failure that whoever runs the program can act on: the program ends with its message and no stack trace. */
export abstract class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
