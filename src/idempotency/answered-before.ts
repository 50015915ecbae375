import type { FastifyRequest } from "fastify";
import type { Queryable } from "../database/database.ts";
import { InvalidRequest } from "../http/errors.ts";
import { type Answer, readLargeIdempotencyKey } from "./idempotency-key.ts";
import { selectKept } from "./store.ts";

/**
 * Rules become stricter from release to release. What was accepted under a key before they did is answered again, not
 * refused: whoever lost the answer must not be told that nothing was sent.
 */
export async function answeredBefore(
  database: Queryable,
  request: FastifyRequest & { readonly company: { readonly id: string } },
  refusal: unknown,
  showAgain: (madeId: string) => Promise<Answer>,
): Promise<Answer> {
  if (!(refusal instanceof InvalidRequest)) throw refusal;
  if (request.headers["idempotency-key"] === undefined) throw refusal;
  const key = await readLargeIdempotencyKey(request);
  const kept = key && (await selectKept(database, request.company.id, key));
  if (kept === undefined) throw refusal;
  return showAgain(kept.madeId);
}
