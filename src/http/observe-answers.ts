import type { FastifyInstance } from "fastify";
import type { Metrics, Series } from "../kernel/metrics.ts";
import { cutUnread } from "./cut-unread.ts";

/** One log line and two metrics per answer. The route's pattern is logged, never the query; the key's id, never the token. */
export function observeAnswers(app: FastifyInstance, metrics: Metrics): void {
  const answers = new AnswerCounts(metrics);
  app.addHook("onResponse", (request, reply, done) => {
    cutUnread(request.raw);
    const { id, method, address, caller, span } = request;
    const route = request.route.url ?? "none";
    const { statusCode, elapsedTime } = reply;
    answers.count(method, route, statusCode, elapsedTime / 1_000);
    app.log.info(
      {
        correlationId: id,
        method,
        route,
        statusCode,
        ms: Math.round(elapsedTime * 100) / 100,
        address,
        ...caller,
        ...(span === undefined ? {} : { traceId: span.traceId }),
      },
      "answered",
    );
    done();
  });
}

interface AnswerSeries {
  readonly requests: Series;
  readonly seconds: Series;
}

/** Keeps the series of each kind of answer: to put their labels together for every answer would cost more than to count it. */
class AnswerCounts {
  readonly #requests;
  readonly #seconds;
  /** By route, method and status, of which there are as many as the service has. */
  readonly #known = new Map<string, Map<string, Map<number, AnswerSeries>>>();

  constructor(metrics: Metrics) {
    this.#requests = metrics.counter(
      "cauri_http_requests_total",
      "Requests answered, by route and status.",
    );
    this.#seconds = metrics.histogram(
      "cauri_http_request_seconds",
      "Time from request to answer, by route.",
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    );
  }

  count(method: string, route: string, status: number, seconds: number): void {
    const series =
      this.#known.get(route)?.get(method)?.get(status) ?? this.#meet(method, route, status);
    series.requests.add(1);
    series.seconds.add(seconds);
  }

  #meet(method: string, route: string, status: number): AnswerSeries {
    const byMethod = this.#known.get(route) ?? new Map<string, Map<number, AnswerSeries>>();
    const byStatus = byMethod.get(method) ?? new Map<number, AnswerSeries>();
    this.#known.set(route, byMethod.set(method, byStatus));
    const series = {
      requests: this.#requests.series({ method, route, status: String(status) }),
      seconds: this.#seconds.series({ route }),
    };
    byStatus.set(status, series);
    return series;
  }
}
