import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
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
  const header = request.headers["idempotency-key"];
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !keyShape.test(header)) throw new InvalidIdempotencyKey();
  const said = `${request.method} ${request.routeOptions.url} ${JSON.stringify(request.params)} ${canonical(request.body)}`;
  return { key: header, requestHash: createHash("sha256").update(said).digest() };
}

/** JSON with its keys in order: a client that builds its body anew may write them differently. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.isReplay) reply.header("idempotency-replayed", "true");
  return reply.code(answer.statusCode).type("application/json; charset=utf-8").send(answer.body);
}
