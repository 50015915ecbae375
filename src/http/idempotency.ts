import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database, Tx } from "../database/database.ts";
import { retryDeadlocks } from "../database/retry.ts";
import { sql } from "../database/sql.ts";
import { IdempotencyKeyReused, InvalidIdempotencyKey } from "./errors.ts";

/** What a caller repeats: its key, and a hash of everything that makes the request the same request. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: Buffer;
}

export interface StoredAnswer {
  readonly statusCode: number;
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

/**
 * Runs `work` once per key and keeps its answer in the same transaction. Only answers that changed
 * something are kept: what was refused changed nothing, so sending it again simply asks again.
 */
export async function answerOnce(
  database: Database,
  companyId: string,
  key: IdempotencyKey | undefined,
  statusCode: number,
  work: (tx: Tx) => Promise<unknown>,
): Promise<StoredAnswer> {
  return retryDeadlocks(() => answerInTransaction(database, companyId, key, statusCode, work));
}

async function answerInTransaction(
  database: Database,
  companyId: string,
  key: IdempotencyKey | undefined,
  statusCode: number,
  work: (tx: Tx) => Promise<unknown>,
): Promise<StoredAnswer> {
  return database.transaction(async (tx) => {
    if (key === undefined)
      return { statusCode, body: JSON.stringify(await work(tx)), isReplay: false };

    // The insert comes first: a second request with this key waits here until the first has ended.
    const inserted = await tx.query(sql`
      insert into idempotency_keys as k (company_id, key, request_hash, status_code, response)
      select c.company_id, ${key.key}, ${key.requestHash}, ${statusCode}, ''
      from companies c where c.company_id = ${companyId}
      on conflict (company_id, key) do nothing
      returning k.key`);
    if (inserted.length === 0) return replay(tx, companyId, key);

    const body = JSON.stringify(await work(tx));
    await tx.query(sql`
      update idempotency_keys set response = ${body} where company_id = ${companyId} and key = ${key.key}`);
    return { statusCode, body, isReplay: false };
  });
}

async function replay(tx: Tx, companyId: string, key: IdempotencyKey): Promise<StoredAnswer> {
  const rows = await tx.query<{ request_hash: Buffer; status_code: number; response: string }>(sql`
    select request_hash, status_code, response from idempotency_keys
    where company_id = ${companyId} and key = ${key.key}`);
  const [stored] = rows;
  if (stored === undefined || !stored.request_hash.equals(key.requestHash))
    throw new IdempotencyKeyReused();
  return { statusCode: stored.status_code, body: stored.response, isReplay: true };
}

export function sendAnswer(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  if (answer.isReplay) reply.header("idempotency-replayed", "true");
  return reply.code(answer.statusCode).type("application/json; charset=utf-8").send(answer.body);
}
