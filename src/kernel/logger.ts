import { type Logger, pino } from "pino";

export interface LoggerOptions {
  readonly level: string;
  /** 1 for the service, 2 for commands whose standard output is their answer. */
  readonly fileDescriptor: 1 | 2;
}

/**
 * JSON lines. Nothing that identifies or authorises is meant to reach a log at all; the redaction is for
 * the day somebody logs a whole request by mistake.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // PostgreSQL tells the whole row in the detail of an error, and sometimes in its context.
      redact: ["headers", "accessToken", "secretKey", "msisdn", "err.detail", "err.where"],
    },
    // Lines are written in the background, so that no request waits for them, and flushed on exit.
    pino.destination({ fd: options.fileDescriptor, sync: false }),
  );
}
