import type { Queryable } from "../database/database.ts";
import { WebhookNotFound } from "./errors.ts";
import {
  type EndpointState,
  type Recent,
  selectEndpointStates,
  selectRecent,
  selectWaiting,
} from "./health-store.ts";
import { allWebhooks } from "./manage-webhooks.ts";
import type { Webhook } from "./webhook.ts";

/** Deliveries of each webhook that are looked at for how it fares. */
export const recentMax = 100;
/** What waits is counted up to here. */
export const waitingMax = 1_000;

/** ok: it answers. new: it has never answered yet. failing: its last attempts failed. cooling: so many that it is left alone for a while. */
export type Condition = "ok" | "new" | "failing" | "cooling" | "disabled";

/** A webhook and how it fares. */
export interface Health {
  readonly webhook: Webhook;
  readonly condition: Condition;
  readonly failingSince: Date | null;
  /** When something is sent there again. */
  readonly coolingUntil: Date | null;
  /** Of the newest deliveries; null: none of them was acknowledged. */
  readonly lastSuccessAt: Date | null;
  /** Of the newest deliveries, those that are over. */
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** How all webhooks of a company fare, the newest first. */
export async function findHealth(
  database: Queryable,
  now: Date,
  companyId: string,
): Promise<Health[]> {
  const webhooks = await allWebhooks(database, companyId);
  const ids = webhooks.map(({ id }) => id);
  const [states, recents, waiting] = [
    await selectEndpointStates(database, companyId),
    await selectRecent(database, companyId, ids, recentMax),
    await selectWaiting(database, companyId, waitingMax),
  ];
  return webhooks.map((webhook) => {
    const isOf = ({ webhookId }: { readonly webhookId: string }) => webhookId === webhook.id;
    const state = states.find(isOf);
    const recent = recents.find(isOf);
    return {
      webhook,
      condition: judge(now, webhook, state, recent),
      failingSince: state?.failingSince ?? null,
      coolingUntil: isCooling(now, state) ? (state?.openUntil ?? null) : null,
      lastSuccessAt: recent?.lastSuccessAt ?? null,
      delivered: recent?.delivered ?? 0,
      failed: recent?.failed ?? 0,
      waiting: waiting.find(isOf)?.count ?? 0,
    };
  });
}

/** How one of them fares. */
export async function getHealth(
  database: Queryable,
  now: Date,
  companyId: string,
  webhookId: string | undefined,
): Promise<Health> {
  const all = await findHealth(database, now, companyId);
  const found = all.find(({ webhook }) => webhook.id === webhookId);
  if (found === undefined) throw new WebhookNotFound();
  return found;
}

function judge(
  now: Date,
  webhook: Webhook,
  state: EndpointState | undefined,
  recent: Recent | undefined,
): Condition {
  if (webhook.disabledAt !== null) return "disabled";
  if (isCooling(now, state)) return "cooling";
  if ((state?.failures ?? 0) > 0) return "failing";
  return state?.provedAt == null && (recent?.delivered ?? 0) === 0 ? "new" : "ok";
}

function isCooling(now: Date, state: EndpointState | undefined): boolean {
  return state?.openedAt != null && state.openUntil !== null && state.openUntil > now;
}
