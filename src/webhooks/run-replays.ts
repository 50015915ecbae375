import type { Database, Tx } from "../database/database.ts";
import { newUuid, parseUuid } from "../kernel/ids.ts";
import { spendQuota } from "../quotas/spend-quota.ts";
import type { ConsolePerson } from "../trail/actor.ts";
import { recordForCompany } from "../trail/record.ts";
import { replaysPerHour } from "./delivery-policy.ts";
import { ReplayNotFound, ReplayUnderWay, WebhookDisabled } from "./errors.ts";
import { getWebhook } from "./manage-webhooks.ts";
import { findNumbers, type ReplayRange, selectReplayable } from "./replay-store.ts";
import {
  endReplay,
  insertReplay,
  lockReplay,
  moveReplay,
  type Replay,
  requeueWithin,
  selectReplay,
  selectReplays,
  selectUnderWay,
} from "./replays-store.ts";

export { type Replay, replayQueue } from "./replays-store.ts";

/** Event numbers that one transaction looks through, and deliveries that it queues: the company's deliveries wait meanwhile. */
const numbersPerStep = 5_000;
const queuedPerStep = 500;
/** A company has a few webhooks, each with one at most. */
const underWayMax = 1_000;
const shownMax = 5;

/** Asks for deliveries of a range of time again; a worker does it, part by part, in the order in which they happened. */
export async function startReplay(
  database: Database,
  now: Date,
  request: ReplayRange & { readonly companyId: string; readonly webhookId: string | undefined },
  by: ConsolePerson,
): Promise<Replay> {
  const { companyId, since, until, failedOnly } = request;
  const webhook = await getWebhook(database, companyId, request.webhookId);
  if (webhook.disabledAt !== null) throw new WebhookDisabled();
  const replay = { since, until, failedOnly, id: newUuid(now.getTime()), webhookId: webhook.id };
  const numbers = await findNumbers(database, companyId, webhook.id, request);
  await database.transaction(async (tx) => {
    await spendQuota(tx, companyId, { name: "replays", max: replaysPerHour });
    if (!(await insertReplay(tx, companyId, replay, numbers, by.personId)))
      throw new ReplayUnderWay();
    const to = { since: since.toISOString(), until: until.toISOString(), failedOnly };
    const entry = { action: "webhook.replayed", subject: webhook.id, to } as const;
    await recordForCompany(tx, companyId, by, entry);
  });
  return getReplay(database, companyId, webhook.id, replay.id);
}

export async function getReplay(
  database: Database,
  companyId: string,
  webhookId: string | undefined,
  id: string,
): Promise<Replay> {
  const uuid = parseUuid(id);
  const replay =
    uuid === undefined || webhookId === undefined
      ? undefined
      : await selectReplay(database, companyId, webhookId, uuid);
  if (replay === undefined) throw new ReplayNotFound();
  return replay;
}

/** The newest of a webhook. */
export async function listReplays(
  database: Database,
  companyId: string,
  webhookId: string,
): Promise<Replay[]> {
  return selectReplays(database, companyId, webhookId, shownMax);
}

/** A worker's turn: what a company has asked for again, step by step in turns, so that a long one holds up none. */
export async function runReplays(
  database: Database,
  companyId: string,
  mayGoOn: () => boolean,
  onQueued: () => void,
): Promise<void> {
  let left = await selectUnderWay(database, companyId, underWayMax);
  while (left.length > 0) {
    const goOn: string[] = [];
    for (const id of left) {
      if (!mayGoOn()) return;
      if (await takeStep(database, companyId, id)) goOn.push(id);
      onQueued();
    }
    left = goOn;
  }
}

/** Whether a company has more of them: at once, or nothing. */
export async function nextReplayMs(tx: Tx, companyId: string): Promise<number | undefined> {
  return (await selectUnderWay(tx, companyId, 1)).length > 0 ? 0 : undefined;
}

/** False: it is over. What is queued and how far it is are written together, so nothing is queued a second time. */
async function takeStep(database: Database, companyId: string, id: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const replay = await lockReplay(tx, companyId, id);
    if (replay === undefined) return false;
    const { webhookId, nextEvent: first, endEvent } = replay;
    const end = Math.min(first + numbersPerStep, endEvent);
    const range = { first, end };
    const found = await selectReplayable(tx, companyId, webhookId, replay, range, queuedPerStep);
    const queued = await requeueWithin(tx, companyId, webhookId, found);
    if (queued === undefined) {
      await endReplay(tx, companyId, id, true);
      return false;
    }
    const last = found.length === queuedPerStep ? found.at(-1) : undefined;
    const next = last === undefined ? end : last + 1;
    const isOver = next >= endEvent;
    await moveReplay(tx, companyId, id, { next, queued, isOver });
    return !isOver;
  });
}
