import { OperatorError } from "../kernel/operator-error.ts";

export class CrossedBounds extends OperatorError {
  constructor(what: string, min: number, max: number) {
    super(
      `The smallest (${min}) would be above the largest (${max}): give --${what}-min and --${what}-max so that they fit.`,
    );
  }
}
