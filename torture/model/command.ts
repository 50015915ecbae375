import type { AsyncCommand } from "fast-check";
import type { Call, Outcome } from "../traffic/client.ts";
import type { Books } from "./books.ts";
import type { World } from "./world.ts";

/** One thing a caller may do. */
export class Command implements AsyncCommand<Books, World> {
  readonly #name: string;
  readonly #isPossible: (books: Readonly<Books>) => boolean;
  readonly #act: (books: Books, world: World) => Promise<void>;

  constructor(
    name: string,
    act: (books: Books, world: World) => Promise<void>,
    isPossible: (books: Readonly<Books>) => boolean = () => true,
  ) {
    this.#name = name;
    this.#act = act;
    this.#isPossible = isPossible;
  }

  check(books: Readonly<Books>): boolean {
    return this.#isPossible(books);
  }

  async run(books: Books, world: World): Promise<void> {
    world.commands += 1;
    await this.#act(books, world);
  }

  toString(): string {
    return this.#name;
  }
}

/** What the model says the answer is. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
}

/**
 * Sends a request and holds the answer against what the model expects. A key that was used before answers
 * first: with the same request its first answer, byte for byte, with another one a refusal.
 */
export async function sendAsExpected(
  books: Books,
  world: World,
  call: Call,
  expected: Expected,
  // oxlint-disable-next-line typescript/no-explicit-any -- a command reads the fields it expects.
  onSuccess: (body: any) => void,
): Promise<void> {
  const request = `${call.method} ${call.path} ${JSON.stringify(call.body)}`;
  const kept = call.key === undefined ? undefined : books.kept.get(call.key);
  const outcome = await world.send(call);
  if (kept !== undefined) {
    if (kept.request === request) {
      demand(outcome.kind === "ok", request, "a replay", outcome);
      demand(JSON.stringify(bodyOf(outcome)) === kept.body, request, kept.body, outcome);
    } else {
      demandRefusal(outcome, request, { status: 422, code: "idempotency_key_reused" });
    }
    return;
  }
  if (expected.status >= 300) {
    demandRefusal(outcome, request, expected);
    return;
  }
  demand(
    outcome.kind === "ok" && outcome.status === expected.status,
    request,
    String(expected.status),
    outcome,
  );
  const body = bodyOf(outcome);
  if (call.key !== undefined) books.kept.set(call.key, { request, body: JSON.stringify(body) });
  onSuccess(body);
}

export function demand(isTrue: boolean, what: string, expected: string, found: unknown): void {
  if (!isTrue) throw new Error(`${what}: expected ${expected}, found ${JSON.stringify(found)}`);
}

/** Equal as JSON, which is all that a caller sees. */
export function demandEqual(found: unknown, expected: unknown, what: string): void {
  demand(JSON.stringify(found) === JSON.stringify(expected), what, JSON.stringify(expected), found);
}

function demandRefusal(outcome: Outcome, request: string, { status, code }: Expected): void {
  const isRight =
    outcome.kind === "refused" &&
    outcome.status === status &&
    (code === undefined || outcome.code === code);
  demand(isRight, request, `${status} ${code}`, outcome);
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above.
function bodyOf(outcome: Outcome): any {
  return outcome.kind === "ok" ? outcome.body : undefined;
}
