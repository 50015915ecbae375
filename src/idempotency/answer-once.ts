import type { Database, Tx } from "../database/database.ts";
import { IdempotencyKeyReused } from "./errors.ts";
import type { Answer, IdempotencyKey } from "./idempotency-key.ts";
import { insertKey, selectKept, updateKept } from "./store.ts";

/** What a request does, and how it is answered. */
export interface OnceWork<Made> {
  readonly statusCode: number;
  /** Does it, and says what it made: its id, and what the answer shows. It may be run again, when PostgreSQL took the first run back. */
  readonly make: (tx: Tx) => Promise<{
    readonly id: string;
    readonly shown: object;
    readonly made: Made;
  }>;
  /** Called once, after the commit, with what the run that was committed has made. A repeated request made nothing. */
  readonly onMade?: (made: Made) => void;
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
export async function answerOnce<Made>(
  database: Database,
  companyId: string,
  key: IdempotencyKey | undefined,
  work: OnceWork<Made>,
): Promise<Answer> {
  const { answer, made } = await database.transactionOf(companyId, (tx) =>
    makeOrReplay(tx, companyId, key, work),
  );
  if (made !== undefined) work.onMade?.(made.value);
  return answer;
}

interface Done<Made> {
  readonly answer: Answer;
  /** Undefined: it was made before. */
  readonly made?: { readonly value: Made };
}

async function makeOrReplay<Made>(
  tx: Tx,
  companyId: string,
  key: IdempotencyKey | undefined,
  work: OnceWork<Made>,
): Promise<Done<Made>> {
  if (key === undefined) {
    const { shown, made } = await work.make(tx);
    return { answer: first(work, shown), made: { value: made } };
  }

  // The insert comes first: a second request with this key waits here until the first has ended.
  if (!(await insertKey(tx, companyId, key)))
    return { answer: await replay(tx, companyId, key, work) };

  const { id, shown, made } = await work.make(tx);
  const answer = first(work, shown);
  await updateKept(tx, companyId, key, id, work.showAgain === undefined ? answer.body : null);
  return { answer, made: { value: made } };
}

type Shown = Pick<OnceWork<unknown>, "statusCode" | "showAgain">;

function first({ statusCode }: Shown, shown: object): Answer {
  return { statusCode, body: JSON.stringify(shown), isReplay: false };
}

async function replay(
  tx: Tx,
  companyId: string,
  key: IdempotencyKey,
  { statusCode, showAgain }: Shown,
): Promise<Answer> {
  const kept = await selectKept(tx, companyId, key);
  if (kept === undefined) throw new IdempotencyKeyReused();
  const body = kept.response ?? JSON.stringify(await showAgain?.(tx, kept.madeId));
  return { statusCode, body, isReplay: true };
}
