import type { Database, Tx } from "../database/database.ts";
import { IdempotencyKeyReused } from "./errors.ts";
import type { Answer, IdempotencyKey } from "./idempotency-key.ts";
import { insertKey, selectKept, updateKept } from "./store.ts";

/** What a request does, and how it is answered. */
export interface OnceWork {
  readonly statusCode: number;
  /** Does it, and says what it made: its id, and what the answer shows. */
  readonly make: (tx: Tx) => Promise<{ readonly id: string; readonly shown: object }>;
  /**
   * Shows again what was made, exactly as the first answer did. Undefined where that cannot be told any more, because
   * the thing changes; then the first answer is kept as text.
   */
  readonly showAgain?: (tx: Tx, id: string) => Promise<object>;
}

/**
 * Does the work once per key and keeps what it made in the same transaction. Only what changed something is kept: a
 * refusal changed nothing, so sending it again simply asks again.
 */
export async function answerOnce(
  database: Database,
  companyId: string,
  key: IdempotencyKey | undefined,
  work: OnceWork,
): Promise<Answer> {
  return database.transactionOf(companyId, async (tx): Promise<Answer> => {
    if (key === undefined) return first(work, (await work.make(tx)).shown);

    // The insert comes first: a second request with this key waits here until the first has ended.
    if (!(await insertKey(tx, companyId, key))) return replay(tx, companyId, key, work);

    const { id, shown } = await work.make(tx);
    const answer = first(work, shown);
    await updateKept(tx, companyId, key, id, work.showAgain === undefined ? answer.body : null);
    return answer;
  });
}

function first({ statusCode }: OnceWork, shown: object): Answer {
  return { statusCode, body: JSON.stringify(shown), isReplay: false };
}

async function replay(
  tx: Tx,
  companyId: string,
  key: IdempotencyKey,
  { statusCode, showAgain }: OnceWork,
): Promise<Answer> {
  const kept = await selectKept(tx, companyId, key);
  if (kept === undefined) throw new IdempotencyKeyReused();
  const body = kept.response ?? JSON.stringify(await showAgain?.(tx, kept.madeId));
  return { statusCode, body, isReplay: true };
}
