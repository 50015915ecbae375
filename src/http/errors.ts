import { DomainError, type ErrorDetail } from "../kernel/domain-error.ts";
import { composeSentence, inLanguage, type Said, type Sentence } from "../kernel/language.ts";
import { OperatorError } from "../kernel/operator-error.ts";
import { sizeOf } from "../kernel/size-of.ts";

/** All messages one after the other. */
export function joinMessages(details: readonly ErrorDetail[]): Sentence {
  return composeSentence((language) =>
    details.map(({ message }) => inLanguage(language, message)).join(" "),
  );
}

export class InvalidRequest extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_request";

  constructor(said: Said, details: readonly ErrorDetail[]) {
    super(said, { details });
  }

  /** One field that is wrong, said as one sentence. */
  static field(field: string, message: Said): InvalidRequest {
    return new this(message, [{ field, code: "invalid", message }]);
  }
}

/** Query parameters that an address does not have: ignored in silence, they would answer another question. */
export class UnknownParameter extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "unknown_parameter";

  constructor(unknown: readonly string[], known: readonly string[]) {
    const details = unknown.map((field) => ({
      field,
      code: "unknown_parameter",
      message: composeSentence((language) => {
        const list = known.join(", ");
        if (language === "fr")
          return known.length === 0
            ? `${field} n’est pas un paramètre connu. Cette adresse n’en a aucun.`
            : `${field} n’est pas un paramètre connu. Paramètres de cette adresse\u00a0: ${list}.`;
        return known.length === 0
          ? `${field} is not a known query parameter; this address has none.`
          : `${field} is not a known query parameter; this address has ${list}.`;
      }),
    }));
    super(joinMessages(details), { details });
  }
}

/** A number that would be kept as another one. */
export class InexactNumber extends InvalidRequest {
  constructor(place: Pick<ErrorDetail, "field" | "index">) {
    const message = composeSentence((language) =>
      language === "fr"
        ? `${place.field ?? "Le corps"} contient un nombre qui ne peut pas être conservé exactement. Envoyez moins de chiffres\u00a0; dans metadata vous pouvez l’envoyer comme du texte.`
        : `${place.field ?? "The body"} holds a number that cannot be kept exactly. Send fewer digits; in metadata you may send it as text instead.`,
    );
    super(message, [{ ...place, code: "invalid", message }]);
  }
}

export class TooManyRows extends InvalidRequest {
  constructor(field: string, max: number) {
    const message = {
      en: `${field} must have at most ${max} rows.`,
      fr: `${field} doit avoir ${max} lignes au plus.`,
    };
    super(message, [{ field, code: "invalid", message }]);
  }
}

const notHttp: Sentence = {
  en: "The request is not valid HTTP.",
  fr: "La requête n’est pas du HTTP valable.",
};

export class MalformedRequest extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "malformed_request";

  constructor(said: Said = notHttp) {
    super(said);
  }
}

/** The client did not finish its request in time; what it was is not known. */
export class RequestTimeout extends DomainError {
  override readonly kind = "timed-out";
  override readonly code = "request_timeout";

  constructor() {
    super({
      en: "The request did not arrive whole in time. Nothing was done; send it again.",
      fr: "La requête n’est pas arrivée entière à temps. Rien n’a été fait, renvoyez-la.",
    });
  }
}

export class RouteNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "route_not_found";

  /** With the address that was probably meant. */
  constructor(meant?: string) {
    const en = meant === undefined ? "" : ` Did you mean ${meant}?`;
    const fr = meant === undefined ? "" : ` Vouliez-vous dire ${meant}\u00a0?`;
    super({
      en: `There is nothing at this address.${en} The routes are listed at /openapi.json.`,
      fr: `Il n’y a rien à cette adresse.${fr} Les routes sont décrites dans /openapi.json.`,
    });
  }
}

export class MethodNotAllowed extends DomainError {
  override readonly kind = "method-not-allowed";
  override readonly code = "method_not_allowed";

  constructor(allowed: readonly string[]) {
    super({
      en: `This address answers to ${allowed.join(", ")} only.`,
      fr: `Cette adresse ne répond qu’à ${allowed.join(", ")}.`,
    });
  }
}

export class BodyTooLarge extends DomainError {
  override readonly kind = "too-large";
  override readonly code = "body_too_large";

  /** What the address accepts at most. */
  constructor(bytesMax: number) {
    const size = sizeOf(bytesMax);
    super({
      en: `The body is larger than ${size.en}, the most that this address accepts. Send smaller batches or shorter metadata.`,
      fr: `Le corps dépasse ${size.fr}, le maximum accepté à cette adresse. Envoyez des lots plus petits ou des metadata plus courtes.`,
    });
  }
}

export class BodyTooManyValues extends DomainError {
  override readonly kind = "too-large";
  override readonly code = "body_too_large";

  constructor() {
    super({
      en: "The body holds more values than this address accepts. Send fewer rows, or less metadata.",
      fr: "Le corps contient plus de valeurs que cette adresse n’en accepte. Envoyez moins de lignes, ou moins de metadata.",
    });
  }
}

/** More bodies at once than there is memory for. */
export class BodiesTooMany extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super({
      en: "The service is reading as much as it can hold. Nothing was done; try again shortly.",
      fr: "Le service lit déjà autant qu’il peut contenir. Rien n’a été fait ; réessayez sous peu.",
    });
  }
}

/** One account may not have all of a node to itself. */
export class ShareUsedUp extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super({
      en: "This account has as many requests under way as one account may have at once. Nothing was done; try again shortly, with fewer at a time.",
      fr: "Ce compte a autant de requêtes en cours qu’un compte peut en avoir à la fois. Rien n’a été fait ; réessayez sous peu, avec moins de requêtes à la fois.",
    });
  }
}

const notDeclaredJson: Sentence = {
  en: "The body is not declared as JSON. Send the header Content-Type: application/json.",
  fr: "Le corps n’est pas déclaré comme JSON. Envoyez l’en-tête Content-Type: application/json.",
};

const encodedBody: Sentence = {
  en: "The body is in another encoding. Send it as it is, without the header Content-Encoding.",
  fr: "Le corps est dans un autre encodage. Envoyez-le tel quel, sans l’en-tête Content-Encoding.",
};

export class UnsupportedMediaType extends DomainError {
  override readonly kind = "unsupported";
  override readonly code = "unsupported_media_type";

  constructor(said: Said = notDeclaredJson) {
    super(said);
  }
}

export class UnsupportedEncoding extends UnsupportedMediaType {
  constructor() {
    super(encodedBody);
  }
}

export class ExpectationFailed extends DomainError {
  override readonly kind = "expectation-failed";
  override readonly code = "expectation_failed";

  constructor() {
    super({
      en: "The only expectation this service meets is 100-continue. Leave the header Expect out.",
      fr: "La seule attente que ce service connaît est 100-continue. Omettez l’en-tête Expect.",
    });
  }
}

export class RateLimited extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "rate_limited";

  constructor(requestsPerSecond: number) {
    super({
      en: `This account may send ${requestsPerSecond} requests a second. Wait as long as Retry-After says.`,
      fr: `Ce compte peut envoyer ${requestsPerSecond} requêtes par seconde. Attendez aussi longtemps que l’indique Retry-After.`,
    });
  }
}

export class ShuttingDown extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "shutting_down";

  constructor() {
    super({
      en: "This node is stopping. Nothing was done; try again.",
      fr: "Ce nœud s’arrête. Rien n’a été fait, réessayez.",
    });
  }
}

/** Our own mistake. The details are in the log, under the correlation id of the answer. */
export class InternalError extends DomainError {
  override readonly kind = "internal";
  override readonly code = "internal_error";

  constructor(options?: ErrorOptions) {
    super(
      {
        en: "Something went wrong on our side. Quote the correlationId when you report it.",
        fr: "Une erreur s’est produite de notre côté. Indiquez le correlationId en la signalant.",
      },
      options,
    );
  }
}

export class PortInUse extends OperatorError {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is in use by another program. Set PORT to a free one.`);
  }
}
