import { describe, expect } from "vitest";
import { ChargeClient } from "../../test/charges.ts";
import { eventByEvent } from "../../test/event-by-event.ts";
import {
  box,
  makeCompany,
  startService,
  type TestCompany,
  type TestService,
  test,
  untilSettled,
} from "../../test/fixtures.ts";
import { send, startReceiver, subscribe, untilAttempts } from "../../test/receiver.ts";
import { listKeys, revokeKey, rotateKey } from "../companies/credentials.ts";
import { Signals } from "../database/signals.ts";
import { sql } from "../database/sql.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";

interface Event {
  readonly sequence: number;
  readonly topic: string;
  readonly payload: { readonly topic: string; readonly data: { readonly id: string } };
}

function pull(service: TestService, company: TestCompany, query = "") {
  return service.call("GET", `/v1/events${query}`, { token: company.accessToken });
}

const sequencesOf = ({ body }: { body: { data: readonly Event[] } }) =>
  body.data.map(({ sequence }) => sequence);

describe("GET /v1/events", () => {
  test("200: what happened, in order and without gaps, with the very bytes a webhook is sent", async ({
    db,
    service,
    company,
  }) => {
    const receiver = await startReceiver();
    await subscribe(service, company, receiver.url, [
      "transactions/started",
      "transactions/completed",
      "charge/events",
    ]);
    await send(service, company, "r1");
    await send(service, company, "r2");
    await untilSettled(db.database);
    await new ChargeClient(service, company).paid({ amount: 5_000 });
    await untilAttempts(db.database, 5);

    const headers = { authorization: `Bearer ${company.accessToken}` };
    const text = await (await fetch(`${service.url}/v1/events`, { headers })).text();
    const body = JSON.parse(text);

    expect(body).toMatchObject({ count: 5, lastSequence: 5, hasMore: false });
    expect(sequencesOf({ body })).toEqual([1, 2, 3, 4, 5]);
    expect(receiver.received).toHaveLength(5);
    for (const { raw } of receiver.received) expect(text).toContain(`"payload":${raw}}`);
  });

  test("200: pages by lastSequence meet every event once; of topics, only those asked for, and the rest is passed over", async ({
    db,
    service,
    company,
  }) => {
    for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);
    await untilSettled(db.database);

    const seen: number[] = [];
    let after = 0;
    for (let isDone = false; !isDone; ) {
      const { body } = await pull(service, company, `?after=${after}&limit=4`);
      seen.push(...sequencesOf({ body }));
      after = body.lastSequence;
      isDone = !body.hasMore;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);

    const ended = await pull(service, company, "?topics=transaction/completed,%20charge/events");
    expect(ended.body.data.map(({ topic }: Event) => topic)).toEqual(
      Array.from({ length: 3 }, () => "transactions/completed"),
    );
    expect(ended.body.lastSequence).toBe(6);
    const none = await pull(service, company, "?topics=batches/completed");
    expect(none.body).toEqual({ count: 0, lastSequence: 6, hasMore: false, data: [] });
  });

  test("200: a request that waits is answered when something happens, on whatever node; from latest on, nothing older comes", async ({
    db,
    service,
    company,
  }) => {
    const other = await startService(db);
    await send(service, company, "before");
    await untilSettled(db.database);

    const waiting = pull(other, company, "?after=latest&wait=30&topics=transactions/completed");
    await untilWaiting(other, 1);
    await send(service, company, "after");
    const { body } = await waiting;

    expect(body.count).toBe(1);
    expect(body.data[0].payload.data.reference).toBe("after");
    await other.stop();
  });

  test("200: nothing happens; the answer comes when the time is over, or when the node stops", async ({
    db,
    company,
  }) => {
    const service = await startService(db);
    const short = await pull(service, company, "?wait=1");
    expect(short.body).toMatchObject({ count: 0, hasMore: false });

    const waiting = pull(service, company, "?wait=30");
    await untilWaiting(service, 1);
    const since = performance.now();
    await service.stop();
    expect((await waiting).body.count).toBe(0);
    expect(performance.now() - since).toBeLessThan(20_000);
  });

  test("200: those who wait keep nobody out", async ({ db, company }) => {
    const service = await startService(db, { REQUESTS_IN_FLIGHT_MAX: "2" });
    const polls = [];
    for (let count = 1; count <= 6; count += 1) {
      polls.push(pull(service, company, "?after=latest&wait=30"));
      await untilWaiting(service, count);
    }

    for (let place = 0; place < 5; place += 1)
      expect(
        (await service.call("GET", "/v1/balance", { token: company.accessToken })).status,
      ).toBe(200);
    await send(service, company, "r1");

    for (const { body } of await Promise.all(polls)) expect(body.data[0].sequence).toBe(1);
    await service.stop();
  });

  test("401: whoever waits with a key that is revoked meanwhile hears of nothing that happens afterwards", async ({
    db,
    service,
    company,
  }) => {
    const signals = new Signals(db.url, db.database);
    const [key] = await listKeys(db.database, company.id);
    const rotation = { companyId: company.id, overlapSeconds: 3_600 };
    const { accessToken } = await rotateKey(db.database, signals, box, new Date(), rotation);
    const waiting = pull(service, company, "?after=latest&wait=30");
    await untilWaiting(service, 1);

    await revokeKey(db.database, signals, String(key?.key_id));
    await expect.poll(async () => (await pull(service, company)).status).toBe(401);
    await send(service, { ...company, accessToken }, "after");

    expect(await waiting).toMatchObject({ status: 401, body: { code: "invalid_token" } });
  });

  test("429: an account has ten waiting at most; one that hangs up makes room, and others are not concerned", async ({
    db,
    service,
    company,
  }) => {
    const hangUp = new AbortController();
    const headers = { authorization: `Bearer ${company.accessToken}` };
    const url = `${service.url}/v1/events?wait=30`;
    const hanging = fetch(url, { headers, signal: hangUp.signal }).catch(() => undefined);
    const polls = Array.from({ length: 9 }, () => pull(service, company, "?wait=30"));
    await untilWaiting(service, 10);

    const refused = await pull(service, company, "?wait=30");
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("too_many_waiting");
    expect((await pull(service, company)).status).toBe(200);
    const neighbour = await makeCompany(db.database);
    expect((await pull(service, neighbour, "?wait=1")).status).toBe(200);

    hangUp.abort();
    await hanging;
    await expect.poll(async () => (await pull(service, company, "?wait=1")).status).toBe(200);
    await send(service, company, "r1");
    await Promise.all(polls);
  });

  test("410: what was asked for is forgotten, in the middle too; 200 from what is left", async ({
    db,
    service,
    company,
  }) => {
    for (const reference of ["r1", "r2", "r3"]) await send(service, company, reference);
    await untilSettled(db.database);
    await db.database.query({ text: eventByEvent, values: [] });
    await db.database.query(
      sql`update event_runs set created_at = now() - interval '31 days' where last_number <= 4`,
    );
    await forgetDeliveries(db.database, company.id);

    const gone = await pull(service, company, "?after=2");
    expect(gone.status).toBe(410);
    expect(gone.body.code).toBe("events_forgotten");
    expect(gone.body.message).toContain("after=4");
    expect(sequencesOf(await pull(service, company))).toEqual([5, 6]);
    expect(sequencesOf(await pull(service, company, "?after=4"))).toEqual([5, 6]);

    // What somebody has yet to hear of stays, and the gap behind it is not passed over in silence.
    await db.database.query(sql`delete from event_runs where last_number = 5`);
    expect((await pull(service, company, "?after=4")).status).toBe(410);
    expect(sequencesOf(await pull(service, company))).toEqual([6]);
    await db.database.query(sql`delete from event_runs`);
    expect((await pull(service, company, "?after=5")).status).toBe(410);
    expect((await pull(service, company, "?after=6")).body.lastSequence).toBe(6);
  });

  test("409: who has seen what never happened is told, instead of being left to wait for ever", async ({
    service,
    company,
  }) => {
    const { status, body } = await pull(service, company, "?after=7&wait=30");
    expect(status).toBe(409);
    expect(body.code).toBe("events_unknown");
  });

  test("400: a topic that is none, a wait that is too long, a place that is no number", async ({
    service,
    company,
  }) => {
    for (const query of ["?topics=transfers", "?topics=,", "?wait=31", "?after=-1", "?limit=101"]) {
      const { status, body } = await pull(service, company, query);
      expect([query, status, body.code]).toEqual([query, 400, "invalid_request"]);
    }
  });
});

async function untilWaiting(service: TestService, count: number): Promise<void> {
  const waiting = async () => {
    const { body } = await service.call("GET", "/metrics");
    return Number(/^cauri_events_waiting (\S+)$/m.exec(String(body))?.[1]);
  };
  await expect.poll(waiting).toBe(count);
}
