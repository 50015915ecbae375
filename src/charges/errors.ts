import { DomainError } from "../kernel/domain-error.ts";
import type { ChargeStatus } from "./charge.ts";

export class DuplicateExternalId extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "duplicate_external_id";

  constructor(externalId: string, existingId: string) {
    const message = `A charge with the externalId "${externalId}" already exists.`;
    super(message, {
      details: [{ field: "externalId", code: "duplicate_external_id", message, id: existingId }],
    });
  }
}

export class ChargeNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "charge_not_found";

  constructor() {
    super("There is no charge with this id.");
  }
}

/** Only a due charge can be paid; the status it has instead is in the message. */
export class ChargeNotPayable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "charge_not_payable";

  constructor(status: ChargeStatus) {
    super(`This charge is ${status}; only a due charge can be paid.`);
  }
}

export class ChargeNotRefundable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "charge_not_refundable";

  constructor(status: ChargeStatus) {
    super(`This charge is ${status}; only a paid or refunded_partially charge can be refunded.`);
  }
}

export class RefundExceedsPaid extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "refund_exceeds_paid";

  constructor(left: number) {
    const message = `amount is more than what is left to refund, ${left} XOF.`;
    super(message, { details: [{ field: "amount", code: "refund_exceeds_paid", message }] });
  }
}

/** The last refund that a charge may have has to be of all that is left, so that no money is stuck behind the limit. */
export class TooManyRefunds extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_refunds";

  constructor(max: number, left: number) {
    super(
      `A charge can be refunded in ${max} parts, and the last one has to be of all that is left: ${left} XOF.`,
    );
  }
}

/** The interface has no 402 for refunds: the same code as for a transfer, with another status. */
export class RefundNotCovered extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "insufficient_funds";

  constructor(options?: ErrorOptions) {
    super("The account balance is too low for this refund.", options);
  }
}
