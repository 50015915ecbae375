import { type Logger, pino } from "pino";

export interface LoggerOptions {
  readonly level: string;
  /** 1 for the service, 2 for commands whose standard output is their answer. */
  readonly fileDescriptor: 1 | 2;
  /** Other processes write there as well. */
  readonly isShared?: boolean;
}

/** Long enough for a busy moment's lines to go together, too short for a reader to notice. */
const gatheredMs = 20;
/** What POSIX lets a pipe take at once or not at all: a longer write of one process can have another's in its midst. */
const wholeWriteBytes = 4_096;

/**
 * JSON lines. Nothing that identifies or authorises is meant to reach a log at all; the redaction is for
 * the day somebody logs a whole request by mistake.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: isoTime,
      // PostgreSQL tells the whole row in the detail of an error, and sometimes in its context.
      redact: ["headers", "accessToken", "secretKey", "msisdn", "err.detail", "err.where"],
    },
    new GatheredLines(options.fileDescriptor, options.isShared ?? false),
  );
}

/** Requests are answered many at a time: those of one millisecond share their text. */
let isoMs = 0;
let isoText = "";

function isoTime(): string {
  const now = Date.now();
  if (now !== isoMs) {
    isoMs = now;
    isoText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return isoText;
}

/**
 * Lines go together into one write in the background, so that no request waits for them and a thousand requests a second
 * cost fifty writes. They are written at once when the process exits; only one that is killed loses its last moment.
 */
class GatheredLines {
  readonly #file: ReturnType<typeof pino.destination>;
  readonly #isShared: boolean;
  #lines = "";

  constructor(fileDescriptor: number, isShared: boolean) {
    this.#isShared = isShared;
    // Before the file's own handler of the same event, which ends it.
    process.on("exit", () => this.flushSync());
    this.#file = pino.destination({
      fd: fileDescriptor,
      sync: false,
      ...(isShared ? { maxWrite: wholeWriteBytes } : {}),
    });
  }

  write(line: string): void {
    if (this.#lines === "") setTimeout(() => this.#pass(), gatheredMs);
    this.#lines += line;
  }

  /** Called by pino after a fatal line. */
  flushSync(): void {
    this.#pass();
    this.#file.flushSync();
  }

  /** Called by whoever is about to end. */
  flush(done?: (error?: Error) => void): void {
    this.#pass();
    done?.();
  }

  #pass(): void {
    if (this.#lines === "") return;
    // Line by line, the file gathers as many whole ones as fit into a write.
    if (this.#isShared) for (const line of this.#lines.split(/(?<=\n)/)) this.#file.write(line);
    else this.#file.write(this.#lines);
    this.#lines = "";
  }
}
