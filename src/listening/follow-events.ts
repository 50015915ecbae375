import { setTimeout as sleep } from "node:timers/promises";
import { EventsRefused } from "./errors.ts";

export interface Followed {
  readonly url: string;
  readonly token: string;
}

/** As `GET /v1/events` tells it. */
export interface FollowedEvent {
  readonly sequence: number;
  readonly topic: string;
  readonly createdAt: string;
  readonly payload: { readonly topic: string; readonly data: { readonly id?: string } };
}

export interface FollowOptions {
  /** The last event that is known already; undefined: only what happens from now on. */
  readonly after: number | undefined;
  /** Undefined: all of them. */
  readonly topics: string | undefined;
  readonly signal: AbortSignal;
  /** Told why nothing comes, once for each time the service is away. */
  readonly onAway: (why: string) => void;
}

interface Page {
  readonly lastSequence: number;
  readonly data: readonly FollowedEvent[];
}

const waitSeconds = 30;
/** Longer than the service waits. */
const answerLimitMs = 45_000;
const pausesMs = [200, 500, 1_000, 2_000, 5_000] as const;

/**
 * A company's events one after the other, for as long as somebody listens. What was handed out is never handed out again,
 * and nothing is left out, whatever becomes of the service and the connection meanwhile: the number of the last one is
 * all there is to remember.
 */
export async function* followEvents(
  client: Followed,
  { after: from, topics, signal, onAway }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, void> {
  const about = topics === undefined ? "" : `&topics=${encodeURIComponent(topics)}`;
  const ask = (query: string) => askUntilAnswered(client, `${query}${about}`, signal, onAway);
  // Where "now" is has to be known before anything is waited for: a wait that fails could not tell it.
  let after = from ?? (await ask("after=latest"))?.lastSequence;
  while (after !== undefined && !signal.aborted) {
    const page = await ask(`after=${after}&wait=${waitSeconds}`);
    for (const event of page?.data ?? []) {
      if (signal.aborted) return;
      yield event;
    }
    after = page?.lastSequence;
  }
}

/** Undefined when nobody listens any more. */
async function askUntilAnswered(
  client: Followed,
  query: string,
  signal: AbortSignal,
  onAway: (why: string) => void,
): Promise<Page | undefined> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      const page = await askOnce(client, query, signal);
      if ("lastSequence" in page) return page;
      if (tries === 0) onAway(page.why);
    } catch (error) {
      if (error instanceof EventsRefused) throw error;
      if (signal.aborted) return undefined;
      if (tries === 0) onAway(describe(error));
    }
    const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)];
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

async function askOnce(
  { url, token }: Followed,
  query: string,
  signal: AbortSignal,
): Promise<Page | { readonly why: string }> {
  const response = await fetch(`${url}/v1/events?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    // A token goes to the address that was given, and nowhere else.
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as Page;
  if (response.status >= 500 || response.status === 429)
    return { why: `it answers ${response.status}` };
  const { code = "", message = text.slice(0, 200) } = parse(text);
  throw new EventsRefused(response.status, code, message);
}

function parse(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** What fetch says is "fetch failed"; what happened is behind it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
