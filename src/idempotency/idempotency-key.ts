import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Turns } from "../kernel/turns.ts";
import { InvalidIdempotencyKey } from "./errors.ts";

/** What a caller repeats: its key, and a hash of everything that makes the request the same request. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

/** An answer as it is sent, or sent again. */
export interface Answer {
  readonly statusCode: number;
  /** JSON. */
  readonly body: string;
  readonly isReplay: boolean;
}

const keyShape = /^[\x20-\x7e]{1,255}$/;

export function readIdempotencyKey(request: FastifyRequest): IdempotencyKey | undefined {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const said = `${addressOf(request)} ${canonical(request.body)}`;
  return { key, requestHash: createHash("sha256").update(said).digest() };
}

/** The same for a body that may be large: it is hashed row by row and in turns, so that nobody waits for it. */
export async function readLargeIdempotencyKey(
  request: FastifyRequest,
): Promise<IdempotencyKey | undefined> {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const turns = new Turns();
  const hash = createHash("sha256").update(`${addressOf(request)} `);
  for (const piece of canonicalPieces(request.body)) {
    if (turns.isOver) await turns.next();
    hash.update(piece);
  }
  return { key, requestHash: hash.digest() };
}

function keyOf(request: FastifyRequest): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !keyShape.test(header)) throw new InvalidIdempotencyKey();
  return header;
}

function addressOf({ method, route, params }: FastifyRequest): string {
  return `${method} ${route.url} ${JSON.stringify(params)}`;
}

/** JSON with its keys in order: a client that builds its body anew may write them differently. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  return `{${inOrder(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join(",")}}`;
}

/** What `canonical` writes, cut between the elements of the lists that the body has as fields. */
function* canonicalPieces(body: unknown): Iterable<string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    yield canonical(body);
    return;
  }
  let before = "{";
  for (const [name, value] of inOrder(body)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* listPieces(value);
    else yield canonical(value);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* listPieces(list: readonly unknown[]): Iterable<string> {
  yield "[";
  for (const [place, value] of list.entries())
    yield place === 0 ? canonical(value) : `,${canonical(value)}`;
  yield "]";
}

function inOrder(value: object): [string, unknown][] {
  return Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.isReplay) reply.header("idempotency-replayed", "true");
  return reply.code(answer.statusCode).type("application/json; charset=utf-8").send(answer.body);
}
