import type { Queryable } from "../database/database.ts";
import { numberAt } from "../database/number-at.ts";
import { selectEventTime, selectLastEvent } from "./history-store.ts";
import type { PayloadsOf } from "./hold-deliveries.ts";
import { type LoggedLine, selectLines, selectToldEvent } from "./log-store.ts";
import { foreseeFor, type NextStep } from "./next-step.ts";
import { type DeliveryStatus, messageIdOf, type Webhook } from "./webhook.ts";

export type { LoggedLine } from "./log-store.ts";

/** What of a company's deliveries is wanted, of which webhooks. */
export interface LogFilter {
  readonly webhooks: readonly Webhook[];
  readonly status: DeliveryStatus | undefined;
  /** When the events happened, by the minute or so. */
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Only events before this one. */
  readonly before: number | undefined;
}

/** One line, and what comes next for it. */
type ForeseenLine = LoggedLine & NextStep;

export interface LogPage {
  readonly lines: readonly ForeseenLine[];
  /** Where the next page begins; undefined: nothing older is left. */
  readonly older: number | undefined;
}

const setSize = 250;
/** A status has no index: one page looks at so many deliveries, and leads on from there. */
const lookedAtMax = 1_000;

/** A page of a company's deliveries that match, newest first. It is a little longer where one event was told to several. */
export async function findDeliveries(
  database: Queryable,
  companyId: string,
  { webhooks, status, since, until, before }: LogFilter,
  limit: number,
): Promise<LogPage> {
  const ids = webhooks.map(({ id }) => id);
  const last = await selectLastEvent(database, companyId);
  const at = (moment: Date) =>
    numberAt(last, moment, (number) => selectEventTime(database, companyId, number));
  const from = since === undefined ? 1 : await at(since);
  const end = until === undefined ? Number.MAX_SAFE_INTEGER : await at(until);
  let next = Math.min(before ?? Number.MAX_SAFE_INTEGER, end);
  const foresee = await foreseeFor(database, companyId);
  const lines: ForeseenLine[] = [];
  for (let looked = 0; looked < lookedAtMax; looked += setSize) {
    const found = await selectLines(database, companyId, ids, { from, before: next }, setSize);
    const isEnd = found.length < setSize;
    // The set may end amid the deliveries of one event: those come whole with the next.
    const edge = found.at(-1)?.eventNumber ?? 0;
    const whole = isEnd ? found : found.filter(({ eventNumber }) => eventNumber > edge);
    const wanted = whole.filter((line) => status === undefined || line.status === status);
    lines.push(...wanted.map((line) => ({ ...line, ...foresee(line.webhookId, line) })));
    const cut = lines[limit - 1]?.eventNumber;
    if (cut !== undefined) {
      const page = lines.filter(({ eventNumber }) => eventNumber >= cut);
      return { lines: page, older: isEnd && page.length === lines.length ? undefined : cut };
    }
    if (isEnd) return { lines, older: undefined };
    next = edge + 1;
  }
  return { lines, older: next };
}

/** What was sent, byte for byte, and the name it goes by; undefined: the event is not kept any more. */
export async function findSent(
  { database, payloadsOf }: { readonly database: Queryable; readonly payloadsOf: PayloadsOf },
  companyId: string,
  webhook: Webhook,
  eventNumber: number,
): Promise<{ readonly messageId: string; readonly payload: string } | undefined> {
  const event = await selectToldEvent(database, companyId, eventNumber);
  if (event === undefined) return undefined;
  const { topic, subjectId, happenedMs } = event;
  const payload = event.payload ?? (await payloadsOf(companyId, [{ topic, subjectId }]))[0] ?? "";
  return { messageId: messageIdOf(webhook.id, { eventNumber, happenedMs, subjectId }), payload };
}
