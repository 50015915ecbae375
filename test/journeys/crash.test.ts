import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  call,
  demoToken,
  endProcess,
  makeDataDir,
  postmasterPid,
  runCommand,
  type Service,
  startProcess,
} from "../process.ts";
import { Receiver } from "../receiver.ts";
import { Traffic } from "../traffic.ts";

// `npm run torture` asks for more; the suite itself makes do with a few.
const kills = Number(process.env["TORTURE_KILLS"] ?? 5);
const timeout = 60_000 + kills * 20_000;
const environment = { LOG_LEVEL: "fatal" };

test(`kill -9 of the service, ${kills} times under load: no answer was a lie and no event is lost`, {
  timeout,
}, async () => {
  const { dataDir, token, receiver, traffic, ...first } = await begin();
  let { service } = first;
  const postmaster = await postmasterPid(dataDir);

  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(100 + Math.random() * 500);
    await service.end("SIGKILL");
    service = await startProcess(dataDir, environment);
    traffic.url = service.url;
    // The database survives its service and is taken over.
    expect(await postmasterPid(dataDir)).toBe(postmaster);
  }
  await finish(dataDir, service, token, traffic, receiver);
});

test(`kill -9 of PostgreSQL, ${kills} times under load: the service brings it back, and no event is lost`, {
  timeout,
}, async () => {
  const { dataDir, token, receiver, traffic, service } = await begin();

  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(200 + Math.random() * 500);
    await endProcess((await postmasterPid(dataDir)) ?? 0, "SIGKILL");
    await untilReady(service);
  }
  await finish(dataDir, service, token, traffic, receiver);
});

async function begin() {
  const dataDir = await makeDataDir();
  const service = await startProcess(dataDir, environment);
  const token = await demoToken(dataDir);
  const { companyId } = JSON.parse(
    (await runCommand(dataDir, ["company", "list", "--json"])).stdout,
  )[0];
  expect((await runCommand(dataDir, ["company", "fund", companyId, "1000000000"])).code).toBe(0);

  const receiver = await Receiver.start();
  onTestFinished(() => receiver.stop());
  for (const topic of ["transactions/started", "transactions/completed", "transactions/failed"]) {
    expect(
      (await call(service.url, token, "/v1/webhooks", { topic, url: receiver.url })).status,
    ).toBe(201);
  }
  const traffic = new Traffic(token, 4);
  traffic.url = service.url;
  return { dataDir, service, token, receiver, traffic };
}

async function finish(
  dataDir: string,
  service: Service,
  token: string,
  traffic: Traffic,
  receiver: Receiver,
): Promise<void> {
  await sleep(300);
  await traffic.stop();
  const happened = await traffic.verify(service.url, token);
  await expectEvents(receiver, happened);
  const audit = await runCommand(dataDir, ["audit", "--json"]);
  expect(audit.code, audit.stdout).toBe(0);
  expect(await service.end("SIGTERM")).toBe(0);
}

/** Every transfer told that it started and then how it ended; a repetition carries the webhook-id of the first. */
async function expectEvents(receiver: Receiver, happened: ReadonlySet<string>): Promise<void> {
  await receiver.until(happened.size * 2, 120_000);
  const deadline = Date.now() + 60_000;
  let missing: string[] = [];
  do {
    missing = [...happened].filter((reference) => topicsOf(receiver, reference).size < 2);
    if (missing.length > 0) await sleep(200);
  } while (missing.length > 0 && Date.now() < deadline);
  expect(missing).toEqual([]);

  const ids = new Map<string, string>();
  const order = new Map<string, string>();
  for (const { body, headers } of receiver.received) {
    const event = `${body.data.reference} ${body.topic}`;
    const id = String(headers["webhook-id"]);
    expect(ids.get(event) ?? id, event).toBe(id);
    ids.set(event, id);
    const ended = order.get(body.data.reference);
    if (ended === undefined && body.topic !== "transactions/started") {
      expect(
        ids.has(`${body.data.reference} transactions/started`),
        `${event} came before started`,
      ).toBe(true);
      order.set(body.data.reference, body.topic);
    }
  }
}

function topicsOf(receiver: Receiver, reference: string): Set<string> {
  return new Set(
    receiver.received
      .filter(({ body }) => body.data.reference === reference)
      .map(({ body }) => body.topic),
  );
}

async function untilReady(service: Service): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await fetch(`${service.url}/readyz`)).status === 200) return;
    await sleep(50);
  }
  throw new Error("the service did not recover");
}
