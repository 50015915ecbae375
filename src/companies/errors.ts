import { balanceMax } from "../kernel/amount.ts";
import { DomainError, type ErrorDetail } from "../kernel/domain-error.ts";
import { parseUuid, toPublicId } from "../kernel/ids.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import type { AdjustableAccount, Adjustment, Funding } from "../ledger/funding.ts";

/** Its message says what is wrong with the token: see `describeWrongToken`. */
export class Unauthenticated extends DomainError {
  override readonly kind = "unauthenticated";
  override readonly code = "invalid_token";
}

export class TooManyFailedAuthentications extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "rate_limited";

  constructor() {
    super({
      en: "Too many requests with a wrong access token came from this address. Wait as long as Retry-After says.",
      fr: "Trop de requêtes avec un jeton d’accès erroné sont venues de cette adresse. Attendez aussi longtemps que l’indique Retry-After.",
    });
  }
}

export class CompanyMismatch extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "company_mismatch";

  constructor() {
    super({
      en: "X-Company-Id is not the company of this access token. Leave it out, or send the right one.",
      fr: "X-Company-Id n’est pas la société de ce jeton d’accès. Omettez cet en-tête, ou envoyez le bon identifiant.",
    });
  }
}

export class CompanyNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "company_not_found";

  constructor(id: string) {
    const shown = parseUuid(id) === undefined ? id : toPublicId("com", id);
    super({ en: `There is no company ${shown}.`, fr: `Il n’y a pas de société ${shown}.` });
  }
}

export class KeyNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "key_not_found";

  constructor(id: string) {
    const shown = parseUuid(id) === undefined ? id : toPublicId("key", id);
    super({ en: `There is no key ${shown}.`, fr: `Il n’y a pas de clé ${shown}.` });
  }
}

/** The operator changed the company's fees or limits while the request was on its way, more often than it was tried. */
export class PriceChanged extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "price_changed";

  constructor() {
    super({
      en: "The fees or limits of this account have just been changed. Nothing was done; send the request again.",
      fr: "Les frais ou les plafonds de ce compte viennent de changer. Rien n’a été fait, renvoyez la requête.",
    });
  }
}

export class SubCompanyUnknown extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "sub_company_not_found";

  constructor() {
    super({
      en: "No sub-company of this account has this id. Check the id.",
      fr: "Aucune sous-société de ce compte n’a cet identifiant. Vérifiez l’identifiant.",
    });
  }
}

export class TooManySubCompanies extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_sub_companies";

  constructor(max: number) {
    super({
      en: `An account can have ${max} sub-companies, inactive ones included. Give one another name and logo instead.`,
      fr: `Un compte peut avoir ${max} sous-sociétés, inactives comprises. Donnez plutôt à l’une d’elles un autre nom et un autre logo.`,
    });
  }
}

/** All keys were revoked or have ended: there is nothing to sign notifications with. */
export class NoSigningKey extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "no_signing_key";

  constructor() {
    super({
      en: "The company has no good key, and nothing can be signed without one. Create a key, then try again. Nothing was sent.",
      fr: "La société n’a aucune clé valable, et rien ne peut être signé sans clé. Créez une clé, puis réessayez. Rien n’a été envoyé.",
    });
  }
}

export class TooManyKeys extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_keys";

  constructor(max: number) {
    super({
      en: `A company can have ${max} keys that are good at the same time. Revoke one first.`,
      fr: `Une société peut avoir ${max} clés valables en même temps. Révoquez-en une d’abord.`,
    });
  }
}

const unusable = {
  sub_company_not_found: {
    en: "subCompanyId names no sub-company of this account. Check the id, or leave it out.",
    fr: "subCompanyId ne désigne aucune sous-société de ce compte. Vérifiez l’identifiant, ou omettez-le.",
  },
  sub_company_inactive: {
    en: "subCompanyId names an inactive sub-company. Activate it, or leave it out.",
    fr: "subCompanyId désigne une sous-société inactive. Activez-la, ou omettez-la.",
  },
} as const;

function detailOf(code: keyof typeof unusable): ErrorDetail {
  return { field: "subCompanyId", code, message: unusable[code] };
}

/** For a sub-company that a body names; SubCompanyUnknown is for the one of an address. */
export class SubCompanyNotFound extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "sub_company_not_found";

  constructor() {
    super(unusable.sub_company_not_found, {
      details: [detailOf("sub_company_not_found")],
    });
  }
}

export class SubCompanyInactive extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "sub_company_inactive";

  constructor() {
    super(unusable.sub_company_inactive, { details: [detailOf("sub_company_inactive")] });
  }
}

/** Rows of a batch that name sub-companies which cannot be used: all of them, with their index. */
export class SubCompaniesUnusable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code: string;

  constructor(rows: readonly { readonly index: number; readonly problem: string }[]) {
    const details = rows.map(({ index, problem }) => ({
      index,
      ...detailOf(problem === "sub_company_inactive" ? problem : "sub_company_not_found"),
    }));
    super(
      {
        en: `${rows.length} of the batch's rows name a sub-company that cannot be used; nothing was sent. See details.`,
        fr: `Lignes du lot dont la sous-société ne peut pas servir\u00a0: ${rows.length}. Rien n’a été envoyé, voyez details.`,
      },
      { details },
    );
    this.code = rows[0]?.problem ?? "sub_company_not_found";
  }
}

export class FundingTooLarge extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(`An account can hold at most ${balanceMax} francs, and this would be more.`, options);
  }
}

export class FundingReferenceUsed extends OperatorError {
  constructor(reference: string, { amount, createdAt }: Funding) {
    super(
      `The reference ${JSON.stringify(reference)} was used on ${createdAt.toISOString()} for another amount, ${amount} francs. Nothing was added. Give another reference for another funding.`,
    );
  }
}

/** Of a withdrawal or an adjustment: what is known of the one that used the reference. */
export class MovementReferenceUsed extends OperatorError {
  constructor(reference: string, what: string, createdAt: Date) {
    super(
      `The reference ${JSON.stringify(reference)} was used on ${createdAt.toISOString()} for ${what}. Nothing was moved. Give another reference for another movement.`,
    );
  }
}

export class AccountTooLow extends OperatorError {
  constructor(account: AdjustableAccount, balance: number, amount: number) {
    super(
      `The account ${account} holds ${balance} francs, and ${amount} would leave it. Nothing was moved. (What pending transfers have reserved is not part of it.)`,
    );
  }
}

export class FrozenBooks extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(
      "The company is frozen: none of its money moves. Nothing was moved. Unfreeze it first.",
      options,
    );
  }
}

export class SameAccount extends OperatorError {
  constructor(account: Adjustment["from"]) {
    super(`Money cannot go from ${account} to ${account}: give two different accounts.`);
  }
}

export class CrossedBounds extends OperatorError {
  constructor(what: string, min: number, max: number) {
    super(
      `The smallest (${min}) would be above the largest (${max}): give --${what}-min and --${what}-max so that they fit.`,
    );
  }
}
