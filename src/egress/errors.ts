/** The request was not sent, because of where it would have gone. Trying again will not help. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  /** One sentence that may be shown to the owner of the URL: it never tells what a name resolves to. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

const failures = {
  connect: "No connection could be made.",
  dns: "The host name could not be resolved.",
  protocol: "The answer is not valid HTTP, or its headers are too large.",
  reset: "The connection was closed before the answer was complete.",
  stopped: "The sender is stopping.",
  timeout: "The answer was not complete in time.",
  tls: "No secure connection could be made.",
} as const;

/** The request was allowed, but brought no complete answer. Whether it arrived is not known. */
export class EgressFailed extends Error {
  override readonly name = "EgressFailed";
  readonly code: keyof typeof failures;

  constructor(code: keyof typeof failures, cause?: unknown) {
    super(failures[code], { cause });
    this.code = code;
  }
}
