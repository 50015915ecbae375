import { DomainError, type ErrorDetail } from "../kernel/domain-error.ts";
import { OperatorError } from "../kernel/operator-error.ts";

export class InvalidRequest extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_request";

  constructor(message: string, details: readonly ErrorDetail[]) {
    super(message, { details });
  }

  /** One field that is wrong, said as one sentence. */
  static field(field: string, message: string): InvalidRequest {
    return new InvalidRequest(message, [{ field, code: "invalid", message }]);
  }
}

export class InvalidJson extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "invalid_json";

  constructor(message = "The body is not valid JSON in UTF-8.", options?: ErrorOptions) {
    super(message, options);
  }
}

/** Of two values under one name, different programs take different ones. */
export class RepeatedName extends InvalidJson {
  constructor() {
    super("A name stands twice in one object of the body. Send each name once.");
  }
}

export class ForbiddenName extends InvalidJson {
  constructor(name: "__proto__" | "prototype") {
    super(`The body has a field named ${name}, which is not allowed anywhere in it. Rename it.`);
  }
}

export class TooManyRows extends InvalidRequest {
  constructor(field: string, max: number) {
    const message = `${field} must have at most ${max} rows.`;
    super(message, [{ field, code: "invalid", message }]);
  }
}

export class MalformedRequest extends DomainError {
  override readonly kind = "invalid";
  override readonly code = "malformed_request";

  constructor(message = "The request is not valid HTTP.") {
    super(message);
  }
}

/** The client did not finish its request in time; what it was is not known. */
export class RequestTimeout extends DomainError {
  override readonly kind = "timed-out";
  override readonly code = "request_timeout";

  constructor() {
    super("The request did not arrive whole in time. Nothing was done; send it again.");
  }
}

export class RouteNotFound extends DomainError {
  override readonly kind = "not-found";
  override readonly code = "route_not_found";

  constructor() {
    super("There is nothing at this address. The routes are listed at /openapi.json.");
  }
}

export class MethodNotAllowed extends DomainError {
  override readonly kind = "method-not-allowed";
  override readonly code = "method_not_allowed";

  constructor(allowed: readonly string[]) {
    super(`This address answers to ${allowed.join(", ")} only.`);
  }
}

export class BodyTooLarge extends DomainError {
  override readonly kind = "too-large";
  override readonly code = "body_too_large";

  constructor() {
    super("The body is larger than this address accepts.");
  }
}

export class BodyTooManyValues extends DomainError {
  override readonly kind = "too-large";
  override readonly code = "body_too_large";

  constructor() {
    super("The body holds more values than this address accepts.");
  }
}

/** More bodies at once than there is memory for. */
export class BodiesTooMany extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super("The service is reading as much as it can hold. Nothing was done; try again shortly.");
  }
}

/** One account may not have all of a node to itself. */
export class ShareUsedUp extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "overloaded";

  constructor() {
    super(
      "This account has as many requests under way as one account may have at once. Nothing was done; try again shortly, with fewer at a time.",
    );
  }
}

export class UnsupportedMediaType extends DomainError {
  override readonly kind = "unsupported";
  override readonly code = "unsupported_media_type";

  constructor() {
    super("The body must be JSON: send the header Content-Type: application/json.");
  }
}

export class UnsupportedEncoding extends DomainError {
  override readonly kind = "unsupported";
  override readonly code = "unsupported_media_type";

  constructor() {
    super("The body must not be compressed: send it as it is, without Content-Encoding.");
  }
}

export class ExpectationFailed extends DomainError {
  override readonly kind = "expectation-failed";
  override readonly code = "expectation_failed";

  constructor() {
    super("The only expectation this service meets is 100-continue.");
  }
}

export class RateLimited extends DomainError {
  override readonly kind = "rate-limited";
  override readonly code = "rate_limited";

  constructor(requestsPerSecond: number) {
    super(
      `This account may send ${requestsPerSecond} requests a second. Wait as long as Retry-After says.`,
    );
  }
}

export class ShuttingDown extends DomainError {
  override readonly kind = "unavailable";
  override readonly code = "shutting_down";

  constructor() {
    super("This node is stopping. Nothing was done; try again.");
  }
}

/** Our own mistake. The details are in the log, under the correlation id of the answer. */
export class InternalError extends DomainError {
  override readonly kind = "internal";
  override readonly code = "internal_error";

  constructor(options?: ErrorOptions) {
    super("Something went wrong on our side. Quote the correlationId when you report it.", options);
  }
}

export class PortInUse extends OperatorError {
  constructor(host: string, port: number) {
    super(`Port ${port} on ${host} is in use by another program. Set PORT to a free one.`);
  }
}
