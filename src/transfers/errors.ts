import { DomainError, detailsMax, type ErrorDetail } from "../kernel/domain-error.ts";
import { toPublicId } from "../kernel/ids.ts";

export class DuplicateReference extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "duplicate_reference";

  /** One transfer: its reference and the id of the transaction that has it. */
  static single(reference: string, existingId: string): DuplicateReference {
    const message = `A transaction with the reference "${reference}" already exists.`;
    return new DuplicateReference(message, { details: [duplicate(message, existingId)] });
  }

  /** A batch: the first rows whose reference is taken, by an earlier transaction or by an earlier row. */
  static inBatch(
    rows: readonly { readonly index: number; readonly existingId?: string | undefined }[],
  ): DuplicateReference {
    const details = rows.slice(0, detailsMax).map(({ index, existingId }) => ({
      index,
      ...duplicate(
        existingId === undefined
          ? "This row's reference stands more than once in this batch."
          : "A transaction with this row's reference already exists.",
        existingId,
      ),
    }));
    return new DuplicateReference(
      `${rows.length} of the batch's references are already taken; nothing was sent. See details.`,
      { details },
    );
  }
}

function duplicate(message: string, existingId: string | undefined): ErrorDetail {
  return {
    field: "reference",
    code: "duplicate_reference",
    message,
    ...(existingId === undefined ? {} : { id: toPublicId("txn", existingId) }),
  };
}

export class TransactionNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "transaction_not_found";

  constructor() {
    super("There is no transaction with this id.");
  }
}

export class BatchNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "batch_not_found";

  constructor() {
    super("There is no batch with this id.");
  }
}
