/** How an answer came. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  /** Names the request in the service's log. */
  readonly correlationId: string;
}

const known = new WeakMap<object, ResponseFacts>();

/** How this answer came: `responseOf(await cauri.transfers.create(…))`. Undefined for anything else than an answer. */
export function responseOf(answer: object): ResponseFacts | undefined {
  return known.get(answer);
}

export function keepResponse(answer: unknown, facts: ResponseFacts): void {
  if (typeof answer !== "object" || answer === null) return;
  known.set(answer, facts);
  // Some methods hand on the rows alone.
  if ("data" in answer && Array.isArray(answer.data)) known.set(answer.data, facts);
}
