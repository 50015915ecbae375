import { DomainError, type ErrorDetail } from "../kernel/domain-error.ts";
import { parseUuid, toPublicId } from "../kernel/ids.ts";
import { OperatorError } from "../kernel/operator-error.ts";

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

export class DamagedMasterKey extends OperatorError {
  constructor(path: string) {
    super(`${path} does not hold 32 bytes in base64; restore it from a backup.`);
  }
}

export class DamagedPurposeKey extends OperatorError {
  constructor(purpose: string) {
    super(
      `The sealed key "${purpose}" in purpose_keys was changed: the master key fits this database and does not open it. Find out who wrote there, and restore that row from a backup.`,
    );
  }
}

/** What the master keys at hand do not open: live signing secrets, and whose they are. */
export interface Unopened {
  readonly secrets: number;
  readonly companies: number;
  /** The first of them, as a person calls them. */
  readonly names: readonly string[];
}

const ifLost =
  "If it is lost for good, `cauri master-key replace` gives these companies new signing secrets; nothing else is lost.";

/** There is no key at all, and this database has had one. */
export class MasterKeyMissing extends OperatorError {
  constructor(path: string, unopened: Unopened) {
    super(
      `The master key of this database is missing: ${describeUnopened(unopened)} Set MASTER_KEY, or put ${path} back from its backup. ${ifLost}`,
    );
  }
}

export class WrongMasterKey extends OperatorError {
  constructor(
    given: readonly string[],
    vault: { readonly master_key: string; readonly retiring_key: string | null } | undefined,
    unopened: Unopened,
  ) {
    const needed = [vault?.master_key, vault?.retiring_key].filter((key) => key != null);
    const other = needed.length === 0 ? "another" : needed.join(" and ");
    super(
      `The master key does not fit this database: given is ${given.join(", ")}, needed is ${other} (fingerprints). ` +
        `${describeUnopened(unopened)} Use the MASTER_KEY (or restore the master.key file) that this database was made with. ${ifLost}`,
    );
  }
}

function describeUnopened({ secrets, companies, names }: Unopened): string {
  if (secrets === 0) return "No signing secret is concerned.";
  const more = companies > names.length ? ` and ${companies - names.length} more` : "";
  return `${secrets} signing secret${secrets === 1 ? "" : "s"} of ${companies} ${companies === 1 ? "company" : "companies"} cannot be opened: ${names.join(", ")}${more}.`;
}

export class NoOtherMasterKey extends OperatorError {
  constructor() {
    super(
      "There is no other master key to change to. Make one (openssl rand -base64 32), give every node and this command MASTER_KEY=<new>,<old>, then run this again.",
    );
  }
}

export class RotationUnfinished extends OperatorError {
  constructor(target: string) {
    super(
      `The change to the master key ${target} (its fingerprint) is not finished: run this with that key as the first one, then change again.`,
    );
  }
}

export class NothingLost extends OperatorError {
  constructor() {
    super("Every signing secret can be opened: nothing has to be replaced.");
  }
}

export class CrossedBounds extends OperatorError {
  constructor(what: string, min: number, max: number) {
    super(
      `The smallest (${min}) would be above the largest (${max}): give --${what}-min and --${what}-max so that they fit.`,
    );
  }
}
