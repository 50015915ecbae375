import type { Queryable } from "../database/database.ts";
import type { Topic } from "../webhooks/event.ts";
import { selectTransfers } from "./store.ts";
import { toTransferPayload } from "./transfer-resource.ts";

/** What receivers are told of events of transfers, in the order asked for: made from what never changes. */
export async function transferPayloads(
  database: Queryable,
  companyId: string,
  events: readonly { readonly topic: Topic; readonly subjectId: string }[],
): Promise<string[]> {
  const ids = new Set(events.map(({ subjectId }) => subjectId));
  const transfers = await selectTransfers(database, companyId, [...ids]);
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  return events.map(({ topic, subjectId }) => {
    const transfer = byId.get(subjectId);
    if (transfer === undefined) throw new Error(`there is no transfer ${subjectId} to tell of`);
    return toTransferPayload(topic, transfer);
  });
}
