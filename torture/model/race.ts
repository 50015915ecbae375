import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "../../src/database/sql.ts";
import type { Campaign } from "../part.ts";
import type { Random } from "../random.ts";
import { chargeRequest } from "../traffic/charge-request.ts";
import type { Call, Client, Outcome } from "../traffic/client.ts";

/** One of many requests that race with one another. */
export interface Raced {
  readonly call: Call;
  readonly outcome: Outcome;
}

export interface RaceTrack {
  readonly campaign: Campaign;
  readonly random: Random;
  /** The same company at two services. */
  readonly clients: readonly Client[];
  readonly people: readonly string[];
}

const racersMax = 12;
const copiesMax = 4;

/**
 * Rounds of requests that go off together, at two services, over few references, charges and keys, so that
 * they collide: the same one several times, others with the same key, refunds of the same money.
 */
export async function race(track: RaceTrack, rounds: number): Promise<Raced[]> {
  const raced: Raced[] = [];
  const chargeIds: string[] = [];
  for (let round = 0; round < rounds && !track.campaign.deadline.aborted; round += 1) {
    const calls = Array.from({ length: track.random.integer(2, racersMax) }, () =>
      copies(track.random, draw(track, chargeIds)),
    ).flat();
    const outcomes = await Promise.all(
      calls.map((call) => track.random.pick(track.clients).send(call)),
    );
    for (const [index, call] of calls.entries()) {
      const outcome = outcomes[index] as Outcome;
      raced.push({ call, outcome });
      if (call.path === "/v1/charges" && outcome.kind === "ok") chargeIds.push(outcome.body.id);
    }
  }
  return raced;
}

function copies(random: Random, call: Call): Call[] {
  const count = random.isLikely(0.4) ? random.integer(2, copiesMax) : 1;
  return Array.from({ length: count }, () => call);
}

function draw({ random, people }: RaceTrack, chargeIds: readonly string[]): Call {
  const key = random.isLikely(0.4) ? { key: `k${random.integer(1, 10)}` } : {};
  const row = () => ({
    type: "transfer",
    reference: `r${random.integer(1, 60)}`,
    amount: 5_000 + 100 * random.integer(0, 3),
    msisdn: random.pick(people),
  });
  const chance = random.next();
  if (chance < 0.3) return { method: "POST", path: "/v1/transactions", body: row(), ...key };
  if (chance < 0.4) {
    const transactions = Array.from({ length: random.integer(1, 4) }, row);
    return { method: "POST", path: "/v1/transactions/batch", body: { transactions }, ...key };
  }
  if (chance < 0.55 || chargeIds.length === 0) {
    const body = chargeRequest(`e${random.integer(1, 25)}`, 10_000);
    return { method: "POST", path: "/v1/charges", body, ...key };
  }
  const path = `/v1/charges/${random.pick(chargeIds)}`;
  if (chance < 0.8) {
    const body = { recipientMsisdn: random.pick(people) };
    return { method: "POST", path: `${path}/pay`, body, ...key };
  }
  // More than half: of two at once, at most one fits.
  const body = random.isLikely(0.3) ? {} : { amount: random.integer(1, 8_000) };
  return { method: "POST", path: `${path}/refund`, body, ...key };
}

/** Waits for the workers, who race along. */
export async function untilSettled(
  database: { query: (query: ReturnType<typeof sql>) => Promise<object[]> },
  companyId: string,
  limitMs: number,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const pending = await database.query(sql`
      select 1 from pending_transfers where company_id = ${companyId} limit 1`);
    if (pending.length === 0) return;
    await sleep(50);
  }
  throw new Error("transfers are still pending");
}
