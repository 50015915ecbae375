import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import type { PartReport } from "../part.ts";
import { type Received, Receiver } from "../traffic/receiver.ts";
import type { Disagreement } from "./clock.ts";

const topic = "transactions/completed";
const arrivalLimitMs = 60_000;
const pollMs = 20;
/** What Standard Webhooks libraries accept. */
const toleranceSeconds = 300;
const retryAfterSeconds = 20;

interface Scheduled {
  readonly delay: number;
  readonly failing_for: number;
}

/** Notifications are stamped with the true time and retried on schedule, whoever sends them. */
export async function attackWebhooks(scene: Disagreement): Promise<PartReport> {
  const { clientOf, ahead, behind, round } = scene;
  const findings: string[] = [];
  let answer: (received: Received) => Record<string, string> | undefined = () => undefined;
  const receiver = await Receiver.start((received, response) => {
    const headers = answer(received);
    response.writeHead(headers === undefined ? 200 : 503, headers ?? {}).end();
  });
  const tell = async (reference: string, from: typeof ahead) => {
    const before = receiver.received.length;
    await send(scene, from, reference);
    await receiver.until(before + 1, arrivalLimitMs);
  };
  try {
    const body = { topic, url: receiver.url };
    const made = await clientOf(ahead).send({ method: "POST", path: "/v1/webhooks", body });
    if (made.kind !== "ok") throw new Error(`no webhook: ${JSON.stringify(made)}`);

    for (const from of [ahead, behind]) await tell(`stamped ${round} ${from.url}`, from);
    answer = () => ({});
    await tell(`retried ${round}`, behind);
    const retry = await scheduled(scene);
    if (!(retry.delay > 3.9 && retry.delay < 6.1))
      findings.push(`a second attempt is set ${retry.delay} s after the first`);
    if (Math.abs(retry.failing_for) > toleranceSeconds)
      findings.push(`an endpoint is said to fail for ${retry.failing_for} s already`);

    answer = () => {
      const moment = new Date(Date.now() + retryAfterSeconds * 1_000);
      return { "retry-after": moment.toUTCString() };
    };
    await tell(`told when ${round}`, ahead);
    const asked = await scheduled(scene);
    if (Math.abs(asked.delay - retryAfterSeconds) > 5)
      findings.push(`a receiver asked for ${retryAfterSeconds} s and is left for ${asked.delay} s`);

    for (const { headers, atMs } of receiver.received) {
      const offSeconds = Math.round(Number(headers["webhook-timestamp"]) - atMs / 1_000);
      if (Math.abs(offSeconds) > toleranceSeconds)
        findings.push(`a notification is stamped ${offSeconds} s off, which receivers refuse`);
    }
    const path = `/v1/webhooks/${made.body.id}`;
    await clientOf(behind).send({ method: "DELETE", path });
    return { counts: { notifications: receiver.received.length }, findings };
  } finally {
    await receiver.stop();
  }
}

async function send(
  { clientOf }: Disagreement,
  from: Parameters<Disagreement["clientOf"]>[0],
  reference: string,
): Promise<void> {
  const body = { type: "transfer", amount: 5_000, msisdn: "2250700000000", reference };
  const sent = await clientOf(from).send({ method: "POST", path: "/v1/transactions", body });
  if (sent.kind !== "ok") throw new Error(`no transfer: ${JSON.stringify(sent)}`);
}

/** When the newest failed delivery goes again, counted from when its outcome was written down. */
async function scheduled({ place, company }: Disagreement): Promise<Scheduled> {
  const deadline = performance.now() + arrivalLimitMs;
  while (performance.now() < deadline) {
    const [row] = await place.database.query<Scheduled>(sql`
      select extract(epoch from d.next_attempt_at - d.updated_at)::float8 as delay,
        extract(epoch from now() - n.failing_since)::float8 as failing_for
      from deliveries d join endpoints n on n.company_id = d.company_id and n.id = d.endpoint_id
      where d.company_id = ${company.id} and d.event_number = (
          select max(event_number) from deliveries where company_id = ${company.id})
        and d.tries = 1 and d.status = 'pending' and d.claim_id is null`);
    if (row !== undefined) return row;
    await sleep(pollMs);
  }
  throw new Error("no failed delivery was scheduled again");
}
