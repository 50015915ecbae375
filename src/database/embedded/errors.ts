import { OperatorError } from "../../kernel/operator-error.ts";

/** The embedded PostgreSQL cannot run here: the message says why and what a person can do. */
export class EmbeddedUnavailable extends OperatorError {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      `${reason} Or set DATABASE_URL to a PostgreSQL server of your own, and the embedded one is not needed.`,
      options,
    );
  }
}

export class AlreadyRunning extends OperatorError {
  constructor(dataDir: string, where: { readonly pid?: number; readonly url?: string }) {
    const place = where.url === undefined ? "" : ` at ${where.url} (process ${where.pid})`;
    super(
      `Cauri is already running on ${dataDir}${place}. Use that one, stop it first, or start this one with another DATA_DIR and PORT.`,
    );
  }
}

/** The service was without its database for a while, and another service has taken the folder meanwhile. */
export class LostServiceLock extends OperatorError {
  constructor(dataDir: string, where: { readonly pid?: number; readonly url?: string }) {
    super(
      `Another service has taken ${dataDir} over${where.url === undefined ? "" : ` at ${where.url} (process ${where.pid})`} while this one had lost its database. This one stops.`,
    );
  }
}

/** Refusals of the file system that are not a bug: a folder of another user, a full or read-only disk. */
const REFUSALS = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENOTDIR"]);

/** Turns a refusal of the file system into advice; every other error passes through unchanged. */
export function explained(error: unknown, dataDir: string): unknown {
  const code = errorCode(error);
  if (code === undefined || !REFUSALS.has(code) || error instanceof EmbeddedUnavailable) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new EmbeddedUnavailable(
    `The embedded PostgreSQL could not use its folder ${dataDir}: ${message}. Give this user write access to it and room on its disk, or choose another data folder.`,
    { cause: error },
  );
}

/** The `code` of a system error (`ENOENT`) or of a PostgreSQL error (`28P01`). */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
