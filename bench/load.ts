import autocannon from "autocannon";
import { bodies, RequestBytes } from "./requests.ts";

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Transfers per request: 1 is a single one, more is a batch. */
  readonly rows: number;
  /** Something else than transfers: a body with holes, or none at all for reading a page. */
  readonly other?: { readonly body: string | undefined; readonly status: 200 | 201 };
}

export interface LoadResult {
  readonly transfersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly seconds: number;
  readonly answers: number;
}

/** Longer than any answer should take; whatever is slower fails the bench. */
const timeoutSeconds = 20;
const secondsMax = 10;

/**
 * Keeps every connection busy with one request at a time. Every answer has to be the expected one: a server that
 * refuses is fast, so one other answer makes the whole measurement worthless.
 */
export async function applyLoad(load: Load): Promise<LoadResult> {
  const { body, status } = load.other ?? { body: bodies.transfers(load.rows), status: 201 };
  const request = RequestBytes.of(new URL(load.url), load.token, body);
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    timeout: timeoutSeconds,
    sampleInt: 100,
    setupClient: (client) => {
      const own = request.copy();
      // Where autocannon takes the bytes of the next request from.
      (client as unknown as { getRequestBuffer: () => Buffer }).getRequestBuffer = () => own.next();
    },
  });
  const answers = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  const others = result["2xx"] - answers + result.non2xx;
  // A machine too slow for a single answer gets more time, as long as there is nothing else to complain of.
  if (answers + others + result.errors === 0 && load.seconds < secondsMax)
    return applyLoad({ ...load, seconds: load.seconds * 2 });
  if (others > 0 || result.errors > 0 || answers === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${load.url} did not answer ${status} every time: ${statuses}, ${result.errors} errors, ${result.timeouts} timeouts`,
    );
  }
  return {
    transfersPerSecond: (answers * load.rows) / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    seconds: result.duration,
    answers,
  };
}
