import type { Database } from "../database/database.ts";
import { refusalOf } from "./deliveries.ts";
import { requeueDeliveries } from "./deliveries-store.ts";
import {
  countReplayable,
  findNumbers,
  type ReplayRange,
  selectReplayable,
} from "./replay-store.ts";

const chunkSize = 500;

export interface ReplayRequest extends ReplayRange {
  readonly companyId: string;
  readonly webhookId: string;
}

export async function countReplay(database: Database, request: ReplayRequest): Promise<number> {
  const { companyId, webhookId } = request;
  const numbers = await findNumbers(database, companyId, webhookId, request);
  return countReplayable(database, companyId, webhookId, request, numbers);
}

/**
 * Sends again what a webhook was told in a range of time, in the order it happened. There is no cap: it
 * goes on, a bounded set at a time, until the range is done, or the webhook is deleted or disabled. Yields how many it
 * has queued so far.
 */
export async function* replayDeliveries(
  database: Database,
  request: ReplayRequest,
): AsyncGenerator<number> {
  const { companyId, webhookId } = request;
  let left = await findNumbers(database, companyId, webhookId, request);
  let queued = 0;
  while (true) {
    const numbers = await selectReplayable(
      database,
      companyId,
      webhookId,
      request,
      left,
      chunkSize,
    );
    const last = numbers.at(-1);
    if (last === undefined) return;
    const count = await requeueDeliveries(database, companyId, webhookId, numbers);
    if (count === undefined) throw await refusalOf(database, companyId, webhookId);
    queued += count;
    left = { ...left, first: last + 1 };
    yield queued;
  }
}
