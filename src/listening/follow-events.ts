import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, Cauri, type Events, UnexpectedAnswerError } from "@cauri/sdk";
import { EventsRefused } from "./errors.ts";

export interface Followed {
  readonly url: string;
  readonly token: string;
  /** Whose the token is known to be: the service refuses it for any other. */
  readonly companyId?: string | undefined;
}

/** As `GET /v1/events` tells it. */
export interface FollowedEvent {
  readonly sequence: number;
  readonly topic: string;
  readonly createdAt: string;
  readonly payload: { readonly topic: string; readonly data: { readonly id?: string } };
}

interface Page {
  readonly lastSequence: number;
  readonly data: readonly FollowedEvent[];
}

interface Question {
  readonly after: string;
  readonly wait?: number;
  readonly topics?: string;
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

const waitSeconds = 30;
/** An answer without events that comes sooner than this was not waited for. */
const emptyLeastMs = 1_000;
const pausesMs = [200, 500, 1_000, 2_000, 5_000] as const;

/**
 * A company's events one after the other, for as long as somebody listens. What was handed out is never handed out again,
 * and nothing is left out, whatever becomes of the service and the connection meanwhile: the number of the last one is
 * all there is to remember.
 */
export async function* followEvents(
  { url, token, companyId }: Followed,
  { after: from, topics, signal, onAway }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, void> {
  // The SDK bounds what an answer may be and how long it takes, and follows no redirect with the token.
  const cauri = new Cauri({
    url,
    token,
    retries: 0,
    ...(companyId === undefined ? {} : { companyId }),
  });
  const about = topics === undefined ? {} : { topics };
  const ask = (question: Question) =>
    askUntilAnswered(cauri, { ...question, ...about }, signal, onAway);
  // Where "now" is has to be known before anything is waited for: a wait that fails could not tell it.
  let after = from ?? (await ask({ after: "latest" }))?.lastSequence;
  while (after !== undefined && !signal.aborted) {
    const askedMs = performance.now();
    const page = await ask({ after: String(after), wait: waitSeconds });
    for (const event of page?.data ?? []) {
      if (signal.aborted) return;
      yield event;
    }
    after = page?.lastSequence;
    // What stands between may not let a request wait; nobody is asked without end for that.
    if (page?.data.length === 0 && performance.now() - askedMs < emptyLeastMs)
      await sleep(emptyLeastMs, undefined, { signal }).catch(() => {});
  }
}

/** Undefined when nobody listens any more. */
async function askUntilAnswered(
  cauri: Cauri,
  question: Question,
  signal: AbortSignal,
  onAway: (why: string) => void,
): Promise<Page | undefined> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      return toPage(await cauri.webhooks.events(question, { signal }).page());
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof ApiError && !error.isTemporary && !isFrozen(error))
        throw new EventsRefused(error.status, error.code, error.message);
      if (tries === 0) onAway(whyOf(error));
    }
    const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)];
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** A freeze ends one day, and what happened meanwhile is then told. */
function isFrozen({ status, code }: ApiError): boolean {
  return status === 403 && code === "company_frozen";
}

/** Nothing is handed on that is not an event as the service tells it. */
function toPage({ lastSequence, data }: Events): Page {
  const isWhole =
    Number.isSafeInteger(lastSequence) && Array.isArray(data) && data.every((one) => isEvent(one));
  if (!isWhole) throw new UnexpectedAnswerError("It does not tell events.", { status: 200 });
  return { lastSequence, data };
}

function isEvent(value: unknown): value is FollowedEvent {
  const event = value as Partial<FollowedEvent> | null;
  return (
    Number.isSafeInteger(event?.sequence) &&
    typeof event?.topic === "string" &&
    !Number.isNaN(Date.parse(String(event.createdAt))) &&
    typeof event.payload?.data === "object" &&
    event.payload.data !== null &&
    ["string", "undefined"].includes(typeof event.payload.data.id)
  );
}

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return describe(error);
  return isFrozen(error) ? "the company is frozen" : `it answers ${error.status}`;
}

/** What fetch says is "fetch failed"; what happened is behind it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
