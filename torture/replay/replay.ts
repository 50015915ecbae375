import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import { countReplay, replayDeliveries } from "../../src/webhooks/replay-deliveries.ts";
import { type Ground, type GroundCompany, onGround } from "../ground.ts";
import type { Campaign, Part, PartReport } from "../part.ts";
import { Client } from "../traffic/client.ts";
import { Receiver } from "../traffic/receiver.ts";
import { makeDeliveries } from "./make-deliveries.ts";

/** More than any cap of another product; the suite makes do with a tenth. */
const failedCounts = { short: 2_400, full: 24_900 } as const;
const stepSize = 500;
const hourMs = 3_600_000;
const topic = "transactions/completed";
const answerLimitMs = 60_000;
const arrivalLimitMs = 300_000;
const pollMs = 100;
/** What a busy machine would refuse is not what is looked at here. */
const settings = { EVENT_LOOP_DELAY_MAX_MS: "0" };

export const replay: Part = {
  name: "replay",
  promises:
    "Thousands of failed notifications of a range of time are sent again exactly once each, while new ones go on.",
  run: (campaign) => onGround({ settings }, (ground) => sendAgain(campaign, ground)),
};

async function sendAgain(campaign: Campaign, ground: Ground): Promise<PartReport> {
  const { database, url } = ground;
  const failedCount = failedCounts[campaign.scale];
  const replayed = failedCount + 100;
  const company = await ground.makeCompany({ name: "Torture", fund: 1_000_000_000 });
  const client = new Client({ token: company.accessToken, url: () => url, answerLimitMs });
  const receiver = await Receiver.start();
  const findings: string[] = [];
  const expect = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      findings.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  };
  try {
    const body = { topic, url: receiver.url };
    const webhook = await client.send({ method: "POST", path: "/v1/webhooks", body });
    if (webhook.kind !== "ok") throw new Error(`no webhook: ${JSON.stringify(webhook)}`);
    const webhookId = String(webhook.body.id);
    const now = Date.now();
    const make = (name: string, count: number, status: string, hoursAgo: number) =>
      makeDeliveries(database, company.id, webhookId, {
        name,
        count,
        status,
        at: new Date(now - hoursAgo * hourMs),
      });
    campaign.progress(`making ${replayed} failures`);
    await make("too old", 40, "failed", 30);
    await make("failed", failedCount, "failed", 20);
    await make("delivered", 60, "delivered", 20);
    await make("cancelled", 60, "cancelled", 19);
    await make("superseded", 40, "superseded", 18);
    await make("too new", 40, "failed", 2);

    const range = { since: new Date(now - 24 * hourMs), until: new Date(now - 12 * hourMs) };
    const request = { companyId: company.id, webhookId, ...range, failedOnly: true };
    expect("to be sent again", await countReplay(database, request), replayed);
    const steps = replayed / stepSize;
    const progress: number[] = [];
    for await (const queued of replayDeliveries(database, request)) {
      campaign.progress(`${queued} of ${replayed} queued again`);
      progress.push(queued);
      await send(client, `new ${progress.length}`);
    }
    const stages = Array.from({ length: steps }, (_, step) => stepSize * (step + 1));
    expect("progress", progress, stages);
    expect("left to be sent again", await countReplay(database, request), 0);

    await untilTold(campaign, ground, company, receiver, replayed + steps);
    const heard: Record<string, number> = {};
    for (const { body: told } of receiver.received) {
      const name = String(told.data.reference).replace(/ \d+$/, "");
      heard[name] = (heard[name] ?? 0) + 1;
    }
    for (const [name, count] of Object.entries({
      failed: failedCount,
      cancelled: 60,
      superseded: 40,
      new: steps,
    }))
      expect(`notifications "${name}"`, heard[name], count);
    expect("notifications in all", receiver.received.length, replayed + steps);
    const different = new Set(receiver.received.map(({ raw }) => raw)).size;
    expect("different notifications", different, replayed + steps);
    const after = await database.query(sql`
      select status, attempts, count(*) as count from deliveries group by status, attempts
      order by status, attempts`);
    expect("deliveries afterwards", after, [
      { status: "delivered", attempts: 1, count: 60 + steps },
      { status: "delivered", attempts: 13, count: replayed },
      { status: "failed", attempts: 12, count: 80 },
    ]);
    return {
      counts: { "notifications sent again": replayed, "new ones meanwhile": steps },
      findings,
    };
  } finally {
    await receiver.stop();
    await client.close();
  }
}

async function send(client: Client, reference: string): Promise<void> {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
  const sent = await client.send({ method: "POST", path: "/v1/transactions", body });
  if (sent.kind !== "ok") throw new Error(`no transfer: ${JSON.stringify(sent)}`);
}

/** Until all of it arrived and is written down. */
async function untilTold(
  { progress }: Campaign,
  { database }: Ground,
  { id }: GroundCompany,
  { received }: Receiver,
  expected: number,
): Promise<void> {
  const deadline = performance.now() + arrivalLimitMs;
  while (performance.now() < deadline) {
    progress(`${received.length} of ${expected} arrived`);
    const waiting = await database.query(sql`
      select 1 from deliveries where company_id = ${id} and status in ('pending', 'blocked') limit 1`);
    if (received.length >= expected && waiting.length === 0) return;
    await sleep(pollMs);
  }
}
