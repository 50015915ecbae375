import { balanceMax } from "../kernel/amount.ts";
import { DomainError } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";

export class Unauthenticated extends DomainError {
  override readonly kind = "unauthenticated";
  override readonly code = "invalid_token";

  constructor() {
    super("The access token is missing or not valid. Send it as: Authorization: Bearer at_…");
  }
}

export class TooManyFailedAuthentications extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "rate_limited";

  constructor() {
    super("Too many requests with a wrong access token came from this address. Wait a minute.");
  }
}

export class CompanyMismatch extends DomainError {
  override readonly kind = "forbidden";
  override readonly code = "company_mismatch";

  constructor() {
    super(
      "X-Company-Id is not the company of this access token. Leave it out, or send the right one.",
    );
  }
}

export class CompanyNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "company_not_found";

  constructor(id: string) {
    super(`There is no company ${id}.`);
  }
}

export class KeyNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "key_not_found";

  constructor(id: string) {
    super(`There is no key ${id}.`);
  }
}

export class SubCompanyUnknown extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "sub_company_not_found";

  constructor() {
    super("There is no sub-company with this id.");
  }
}

export class TooManySubCompanies extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_sub_companies";

  constructor(max: number) {
    super(
      `An account can have ${max} sub-companies, inactive ones included. Give one another name and logo instead.`,
    );
  }
}

export class TooManyKeys extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "too_many_keys";

  constructor(max: number) {
    super(`A company can have ${max} keys that are good at the same time. Revoke one first.`);
  }
}

/** For a sub-company that a body names; SubCompanyUnknown is for the one of an address. */
export class SubCompanyNotFound extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "sub_company_not_found";

  constructor() {
    super("subCompanyId names no sub-company of this account.", {
      details: [
        { field: "subCompanyId", code: "sub_company_not_found", message: "Unknown sub-company." },
      ],
    });
  }
}

export class SubCompanyInactive extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code = "sub_company_inactive";

  constructor() {
    super("This sub-company is inactive. Activate it before sending on its behalf.", {
      details: [
        { field: "subCompanyId", code: "sub_company_inactive", message: "Inactive sub-company." },
      ],
    });
  }
}

/** Rows of a batch that name sub-companies which cannot be used: all of them, with their index. */
export class SubCompaniesUnusable extends DomainError {
  override readonly kind = "unprocessable";
  override readonly code: string;

  constructor(rows: readonly { readonly index: number; readonly problem: string }[]) {
    const details = rows.map(({ index, problem }) => ({
      index,
      field: "subCompanyId",
      code: problem,
      message:
        problem === "sub_company_inactive" ? "Inactive sub-company." : "Unknown sub-company.",
    }));
    super(
      `${rows.length} of the batch's rows name a sub-company that cannot be used; nothing was sent. See details.`,
      { details },
    );
    this.code = rows[0]?.problem ?? "sub_company_not_found";
  }
}

export class DamagedMasterKey extends OperatorError {
  constructor(path: string) {
    super(`${path} does not hold 32 bytes in base64; restore it from a backup.`);
  }
}

export class WrongMasterKey extends OperatorError {
  constructor() {
    super(
      "The master key does not open the secret keys in this database. Use the MASTER_KEY (or restore the master.key file) that this database was made with.",
    );
  }
}

export class FundingTooLarge extends OperatorError {
  constructor(options?: ErrorOptions) {
    super(`An account can hold at most ${balanceMax} francs, and this would be more.`, options);
  }
}
