import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../database/database.ts";
import type { App } from "../http/server.ts";
import { newUuid } from "../kernel/ids.ts";
import type { Counter, Metrics } from "../kernel/metrics.ts";
import { describePath } from "./describe-path.ts";
import { insertRequests, type LoggedRequest } from "./store.ts";

/** What one node keeps of one company: so many at once, so many a second after that, and so many a day. */
const burstMax = 500;
const perSecondMax = 50;
const perDayMax = 200_000;
/** Rows that wait to be written, of all companies together. */
const waitingMax = 10_000;
const writeEveryMs = 2_000;
/** Companies whose shares are remembered. */
const sharesMax = 10_000;
const dayMs = 86_400_000;

interface Share {
  left: number;
  atMs: number;
  day: number;
  today: number;
}

/**
 * The requests of the API, for the people of the company. A row is put aside when its answer has left, and written with others
 * beside the requests, one statement at a time. What is beyond the bounds is counted and not kept: no answer ever waits for it.
 */
export class RequestLog {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #dropped: Counter;
  readonly #shares = new Map<string, Share>();
  #waiting = new Map<string, LoggedRequest[]>();
  #count = 0;
  #writing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(database: Database, logger: Logger, metrics: Metrics) {
    this.#database = database;
    this.#logger = logger;
    this.#dropped = metrics.counter(
      "cauri_request_log_dropped_total",
      "Requests that are not in the log of requests, by reason.",
      ["share", "full", "failed"].map((reason) => ({ reason })),
    );
    this.#timer = setInterval(() => void this.write(), writeEveryMs);
    this.#timer.unref();
  }

  /** Notes every request of a scope that a company has made. */
  listen(scope: App): void {
    scope.addHook("onResponse", (request, reply, done) => {
      // Without a company nobody could look at it.
      if (request.company !== undefined) this.#note(request, reply);
      done();
    });
  }

  #note(request: FastifyRequest, reply: FastifyReply): void {
    const companyId = request.company.id;
    const nowMs = Date.now();
    if (this.#count >= waitingMax) return this.#dropped.add({ reason: "full" });
    if (!this.#take(companyId, nowMs)) return this.#dropped.add({ reason: "share" });
    const row: LoggedRequest = {
      id: newUuid(nowMs),
      at: new Date(nowMs),
      method: request.method,
      path: describePath(
        request.route.url ?? "",
        (request.params ?? {}) as Readonly<Record<string, string>>,
      ),
      status: reply.statusCode,
      keyId: request.keyId,
      ms: Math.round(reply.elapsedTime),
      correlationId: request.id,
      ignoredFields: request.ignoredFields ?? null,
    };
    this.#count += 1;
    const rows = this.#waiting.get(companyId);
    if (rows === undefined) this.#waiting.set(companyId, [row]);
    else rows.push(row);
  }

  /** One of the company's share. */
  #take(companyId: string, nowMs: number): boolean {
    const day = Math.floor(nowMs / dayMs);
    let share = this.#shares.get(companyId);
    if (share === undefined) {
      if (this.#shares.size >= sharesMax) this.#shares.clear();
      share = { left: burstMax, atMs: nowMs, day, today: 0 };
      this.#shares.set(companyId, share);
    }
    const gained = (Math.max(0, nowMs - share.atMs) / 1_000) * perSecondMax;
    share.left = Math.min(burstMax, share.left + gained);
    share.atMs = nowMs;
    if (share.day !== day) Object.assign(share, { day, today: 0 });
    if (share.left < 1 || share.today >= perDayMax) return false;
    share.left -= 1;
    share.today += 1;
    return true;
  }

  /** Writes what waits, a company at a time. One at a time: what comes meanwhile waits for the next. */
  async write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [companyId, rows] of waiting) {
      try {
        await insertRequests(this.#database, companyId, rows);
      } catch (error) {
        this.#dropped.add({ reason: "failed" }, rows.length);
        this.#logger.info({ err: error, companyId }, "requests could not be written down");
      }
      this.#count -= rows.length;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
    await this.write();
  }
}
