import { DomainError, detailsMax, type ErrorDetail } from "../kernel/domain-error.ts";
import { toPublicId } from "../kernel/ids.ts";
import type { Sentence } from "../kernel/language.ts";

export class DuplicateReference extends DomainError {
  override readonly kind = "conflict";
  override readonly code = "duplicate_reference";

  /** One transfer: its reference and the id of the transaction that has it. */
  static single(reference: string, existingId: string): DuplicateReference {
    const message = taken(reference);
    return new this(message, { details: [duplicate(message, existingId)] });
  }

  /** A batch: the first rows whose reference is taken, by an earlier transaction or by an earlier row. */
  static inBatch(
    rows: readonly { readonly index: number; readonly existingId?: string | undefined }[],
  ): DuplicateReference {
    const details = rows.slice(0, detailsMax).map(({ index, existingId }) => ({
      index,
      ...duplicate(
        existingId === undefined
          ? {
              en: "This row's reference stands more than once in this batch. Give each row its own.",
              fr: "La référence de cette ligne figure plusieurs fois dans ce lot. Donnez à chaque ligne la sienne.",
            }
          : {
              en: "A transaction with this row's reference already exists.",
              fr: "Une transaction avec la référence de cette ligne existe déjà.",
            },
        existingId,
      ),
    }));
    return new this(
      {
        en: `${rows.length} of the batch's references are already taken; nothing was sent. See details.`,
        fr: `Références du lot déjà prises\u00a0: ${rows.length}. Rien n’a été envoyé, voyez details.`,
      },
      { details },
    );
  }
}

function taken(reference: string): Sentence {
  return {
    en: `A transaction with the reference "${reference}" already exists; details has its id. Nothing was sent. To pay once more, use another reference.`,
    fr: `Une transaction porte déjà la référence «\u00a0${reference}\u00a0»\u00a0; details a son identifiant. Rien n’a été envoyé. Pour payer encore une fois, prenez une autre référence.`,
  };
}

function duplicate(message: Sentence, existingId: string | undefined): ErrorDetail {
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
    super({
      en: "No transaction of this account has this id. Check the id and the access token.",
      fr: "Aucune transaction de ce compte n’a cet identifiant. Vérifiez l’identifiant et le jeton d’accès.",
    });
  }
}

export class BatchNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "batch_not_found";

  constructor() {
    super({
      en: "No batch of this account has this id. Check the id and the access token.",
      fr: "Aucun lot de ce compte n’a cet identifiant. Vérifiez l’identifiant et le jeton d’accès.",
    });
  }
}
