import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished } from "vitest";
import { startService, type TestService, test } from "../../test/fixtures.ts";
import { patience, send, startReceiver } from "../../test/receiver.ts";
import { freezeCompany, unfreezeCompany } from "../companies/freeze-company.ts";
import { Signals } from "../database/signals.ts";
import { operator } from "../trail/actor.ts";
import { EventsRefused } from "./errors.ts";
import { followEvents } from "./follow-events.ts";
import { forwardEvent } from "./forward-event.ts";

const nobodyToTell = () => {};

test("a listener hears every event once and in order, though the service is stopped and started again under it", async ({
  db,
  company,
}) => {
  let service = await startService(db);
  const { url } = service;
  const again = () => startService(db, { PORT: new URL(url).port });
  const heard: number[] = [];
  const away: string[] = [];
  const stopping = new AbortController();
  const listening = (async () => {
    const client = { url, token: company.accessToken };
    const options = { after: 0, topics: undefined, signal: stopping.signal };
    const events = followEvents(client, { ...options, onAway: (why) => away.push(why) });
    for await (const { sequence } of events) heard.push(sequence);
  })();

  for (let round = 0; round < 3; round += 1) {
    for (let number = 0; number < 5; number += 1)
      await send(service, company, `${round}-${number}`);
    // Only one that is listening again can notice that the service is away again.
    await expect.poll(() => heard.length, patience).toBeGreaterThan(round * 10);
    await service.stop();
    await expect.poll(() => away.length, patience).toBeGreaterThan(round);
    service = await again();
  }
  await expect.poll(() => heard.length, patience).toBe(30);
  stopping.abort();
  await listening;
  await service.stop();

  expect(heard).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
});

test("without a number, what happened before is not told; of topics, only those asked for", async ({
  service,
  company,
}) => {
  await send(service, company, "before");
  await expect.poll(() => lastOf(service, company.accessToken), patience).toBe(2);
  const stopping = new AbortController();
  const options = { after: undefined, topics: "transactions/completed", signal: stopping.signal };
  const events = followEvents(
    { url: service.url, token: company.accessToken },
    { ...options, onAway: nobodyToTell },
  );
  const first = events.next();
  await expect
    .poll(async () => String((await service.call("GET", "/metrics")).body), patience)
    .toContain("cauri_events_waiting 1");
  await send(service, company, "after");

  const { value } = await first;
  expect(value).toMatchObject({ sequence: 4, payload: { data: { reference: "after" } } });
  stopping.abort();
  expect((await events.next()).done).toBe(true);
});

test("a token that is not good, and a number that never was, end it with the service's own sentence", async ({
  service,
  company,
}) => {
  const options = { topics: undefined, signal: AbortSignal.timeout(60_000), onAway: nobodyToTell };
  const wrongToken = followEvents(
    { url: service.url, token: "at_wrong" },
    { ...options, after: 0 },
  );
  await expect(wrongToken.next()).rejects.toThrow(/401 invalid_token/);
  const client = { url: service.url, token: company.accessToken };
  const unknown = followEvents(client, { ...options, after: 9 });
  await expect(unknown.next()).rejects.toThrow(EventsRefused);
});

test("a listener waits while its company is frozen, and then hears what happened meanwhile", async ({
  db,
  service,
  company,
}) => {
  const signals = new Signals(db.url, db.database);
  const by = operator("a test");
  const away: string[] = [];
  const heard: number[] = [];
  const stopping = new AbortController();
  const client = { url: service.url, token: company.accessToken };
  const options = { after: 0, topics: undefined, signal: stopping.signal };
  const listening = (async () => {
    const events = followEvents(client, { ...options, onAway: (why) => away.push(why) });
    for await (const { sequence } of events) heard.push(sequence);
  })();
  await send(service, company, "before");
  await expect.poll(() => heard.length, patience).toBe(2);

  await freezeCompany(db.database, signals, company.id, by);
  await expect.poll(() => away, patience).toContain("the company is frozen");
  await unfreezeCompany(db.database, signals, company.id, by);
  await expect
    .poll(() => service.call("GET", "/v1/balance", { token: company.accessToken }), patience)
    .toMatchObject({ status: 200 });
  await send(service, company, "after");
  await expect.poll(() => heard, patience).toEqual([1, 2, 3, 4]);
  stopping.abort();
  await listening;
});

test("what is forwarded is what a webhook is sent: the same body, signed with the company's key", async ({
  service,
  company,
}) => {
  const receiver = await startReceiver();
  await send(service, company, "r1");
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const options = { after: 0, topics: undefined, signal: stopping.signal, onAway: nobodyToTell };
  const client = { url: service.url, token: company.accessToken };
  const { value: event } = await followEvents(client, options).next();
  if (event === undefined) throw new Error("nothing was told");

  const secretKey = `sk_${"k".repeat(43)}`;
  const forwarding = { forwardTo: receiver.url, secretKey, brand: "shop" };
  const answer = await forwardEvent(forwarding, event, new Date());

  expect(answer).toMatchObject({ status: 200, error: undefined });
  const [received] = await receiver.until(1);
  const hmac = createHmac("sha256", secretKey)
    .update(received?.raw ?? "")
    .digest("base64");
  expect(received?.headers["x-shop-hmac-sha256"]).toBe(hmac);
  expect(received?.body).toEqual(event.payload);

  const nobody = await forwardEvent(
    { ...forwarding, forwardTo: await closedAddress() },
    event,
    new Date(),
  );
  expect(nobody.status).toBeUndefined();
  expect(nobody.error).toContain("ECONNREFUSED");
});

/** Where somebody listened, and nobody does any more. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

async function lastOf(service: TestService, token: string): Promise<number> {
  return (await service.call("GET", "/v1/events", { token })).body.lastSequence;
}
