import type { FastifyBaseLogger } from "fastify";

type Line = readonly [values: unknown, message?: string];

/**
 * The logger of one request, which names it on every line. Hardly any request writes a line but the one that tells of its
 * answer, so the real logger is made with the first line.
 */
export class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #origin: Parameters<FastifyBaseLogger["child"]>;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, ...origin: Parameters<FastifyBaseLogger["child"]>) {
    this.#parent = parent;
    this.#origin = origin;
  }

  get #logger(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(...this.#origin);
    return this.#made;
  }

  get level(): string {
    return this.#logger.level;
  }

  child(...origin: Parameters<FastifyBaseLogger["child"]>): FastifyBaseLogger {
    return this.#logger.child(...origin);
  }

  fatal(...line: Line): void {
    this.#logger.fatal(...line);
  }

  error(...line: Line): void {
    this.#logger.error(...line);
  }

  warn(...line: Line): void {
    this.#logger.warn(...line);
  }

  info(...line: Line): void {
    this.#logger.info(...line);
  }

  debug(...line: Line): void {
    this.#logger.debug(...line);
  }

  trace(...line: Line): void {
    this.#logger.trace(...line);
  }

  silent(): void {}
}
