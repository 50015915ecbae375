import type { Logger } from "pino";
import type { HandedOut, StandingRow } from "./dispatch-store.ts";
import type { Topic } from "./event.ts";
import type { Claim, Held, Listener } from "./held.ts";

/** Makes what receivers are told of events that carry no payload, in the order asked for. */
export type PayloadsOf = (
  companyId: string,
  events: readonly { readonly topic: Topic; readonly subjectId: string }[],
) => Promise<readonly string[]>;

export interface Handout {
  readonly companyId: string;
  readonly claim: Omit<Claim, "left">;
  readonly rows: readonly HandedOut[];
  readonly listeners: ReadonlyMap<string, Listener>;
}

/**
 * Makes deliveries that can be sent of what the database handed out. One whose webhook is not known was deleted and is
 * passed over. `isReady` is false when what they should say could not be made.
 */
export async function holdDeliveries(
  { logger, payloadsOf }: { readonly logger: Logger; readonly payloadsOf: PayloadsOf },
  { companyId, claim: taken, rows, listeners }: Handout,
): Promise<{ readonly held: readonly Held[]; readonly isReady: boolean }> {
  const bare = new Map<number, { readonly topic: Topic; readonly subjectId: string }>();
  for (const row of rows) {
    const listener = listeners.get(row.webhook_id);
    if (row.payload === null && listener !== undefined)
      bare.set(row.event_number, { topic: listener.topic, subjectId: row.subject_id });
  }
  let made: readonly string[] = [];
  let isReady = true;
  try {
    if (bare.size > 0) made = await payloadsOf(companyId, [...bare.values()]);
  } catch (error) {
    isReady = false;
    logger.error({ err: error, companyId }, "what to tell could not be made");
  }
  const payloads = new Map([...bare.keys()].map((number, place) => [number, made[place] ?? ""]));

  const claim: Claim = { ...taken, left: 0 };
  const held: Held[] = [];
  for (const row of rows) {
    const listener = listeners.get(row.webhook_id);
    if (listener === undefined) continue;
    claim.left += 1;
    held.push({
      companyId,
      listener,
      claim,
      eventNumber: row.event_number,
      subjectId: row.subject_id,
      happenedMs: row.happened_ms,
      payload: row.payload ?? payloads.get(row.event_number) ?? "",
      tries: row.tries ?? 0,
    });
  }
  return { held, isReady };
}

export function toListener(row: StandingRow): Listener {
  return {
    webhookId: row.webhook_id,
    endpointId: row.endpoint_id,
    topic: row.topic,
    url: row.url,
  };
}
