import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { Agent, request } from "undici";
import type { Counter } from "../kernel/metrics.ts";
import { withoutSlashes } from "../kernel/without-slashes.ts";
import { toOtlp } from "./otlp.ts";
import type { Attributes, EndedSpan } from "./span.ts";

export interface SpanExporterOptions {
  /** Where OTLP over HTTP is taken; `/v1/traces` comes behind it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly version: string;
  readonly logger: Logger;
  /** Spans by what became of them. */
  readonly outcomes: Counter;
}

/** What waits while the collector is slow or away; what comes on top is dropped. */
const waitingMax = 4_096;
const batchMax = 512;
const exportEveryMs = 1_000;
const timeoutMs = 5_000;
/** Before the second attempt and the third, which is the last. */
const pausesMs = [500, 2_000];
/** What a stop waits for at most. */
const stopPatienceMs = 2_000;
const complainEveryMs = 60_000;
const answerBytesMax = 16 * 1_024;
/** Of answers before the answer (1xx). */
const announcementsMax = 10;

/** Answers after which the same batch may be sent again, as OTLP says. */
const temporary = new Set([429, 502, 503, 504]);

/**
 * Hands spans that are over to a collector: in batches, one request at a time. Nobody waits for it. What cannot be handed
 * over is dropped and counted, and nothing else happens.
 */
export class SpanExporter {
  readonly #options: SpanExporterOptions;
  readonly #url: string;
  readonly #agent = new Agent({ connections: 1, pipelining: 1 });
  readonly #stopped = new AbortController();
  #waiting: EndedSpan[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #complainedMs = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
    this.#url = `${withoutSlashes(options.endpoint)}/v1/traces`;
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length >= waitingMax) {
      this.#options.outcomes.add({ outcome: "dropped_full" });
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= batchMax) this.#run();
    else if (this.#timer === undefined && this.#running === undefined)
      this.#timer = setTimeout(() => this.#run(), exportEveryMs).unref();
  }

  /** Hands over what is left, for a moment; then the rest is dropped. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const timer = setTimeout(() => this.#stopped.abort(), stopPatienceMs);
    do {
      this.#run();
      await this.#running;
    } while (this.#waiting.length > 0 && !this.#stopped.signal.aborted);
    clearTimeout(timer);
    this.#drop(this.#waiting);
    this.#waiting = [];
    await this.#agent.destroy();
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#exportAll().finally(() => {
      this.#running = undefined;
      if (this.#waiting.length > 0 && !this.#isStopping)
        this.#timer = setTimeout(() => this.#run(), exportEveryMs).unref();
    });
  }

  /** Whole batches at once; what is less waits for more, unless this is the end. */
  async #exportAll(): Promise<void> {
    do {
      const batch = this.#waiting.splice(0, batchMax);
      if (batch.length > 0) await this.#export(batch);
    } while (
      !this.#stopped.signal.aborted &&
      (this.#waiting.length >= batchMax || (this.#isStopping && this.#waiting.length > 0))
    );
  }

  async #export(batch: readonly EndedSpan[]): Promise<void> {
    const { resource, version, outcomes } = this.#options;
    const body = toOtlp(resource, version, batch);
    for (const pauseMs of [...pausesMs, undefined]) {
      const problem = await this.#send(body);
      if (problem === undefined) return outcomes.add({ outcome: "exported" }, batch.length);
      this.#complain(problem.reason);
      if (!problem.isTemporary || pauseMs === undefined || this.#stopped.signal.aborted) break;
      // Nobody has time for pauses at the end.
      if (!this.#isStopping)
        await sleep(pauseMs, undefined, { signal: this.#stopped.signal, ref: false }).catch(
          () => {},
        );
    }
    this.#drop(batch);
  }

  async #send(
    body: string,
  ): Promise<{ readonly reason: string; readonly isTemporary: boolean } | undefined> {
    const flooded = new AbortController();
    let announcements = 0;
    const onInfo = () => {
      announcements += 1;
      if (announcements > announcementsMax) flooded.abort();
    };
    try {
      // Redirects are not followed: the headers are meant for this address only.
      const response = await request(this.#url, {
        method: "POST",
        headers: { ...this.#options.headers, "content-type": "application/json" },
        body,
        dispatcher: this.#agent,
        onInfo,
        signal: AbortSignal.any([
          this.#stopped.signal,
          flooded.signal,
          AbortSignal.timeout(timeoutMs),
        ]),
      });
      await response.body.dump({ limit: answerBytesMax }).catch(() => {});
      const { statusCode } = response;
      if (statusCode >= 200 && statusCode < 300) return undefined;
      return { reason: `it answered ${statusCode}`, isTemporary: temporary.has(statusCode) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { reason: code ?? (error as Error).name, isTemporary: true };
    }
  }

  #drop(batch: readonly EndedSpan[]): void {
    if (batch.length > 0) this.#options.outcomes.add({ outcome: "dropped_failed" }, batch.length);
  }

  #complain(reason: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#complainedMs < complainEveryMs) return;
    this.#complainedMs = nowMs;
    this.#options.logger.warn({ reason }, "traces could not be handed over");
  }
}
