import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { makeCompany, type TestCompany, type TestService, test } from "../../test/fixtures.ts";
import {
  deliveriesOf,
  type Receiver,
  send,
  startReceiver,
  subscribe,
} from "../../test/receiver.ts";

const started = "transactions/started";
const megabyte = Buffer.alloc(1024 * 1024, "x");
const long = { timeout: 120_000, interval: 50 };

test("receivers that drip, flood, hang or hang up end in time, are logged once, and delay nobody", async ({
  db,
  service,
  company,
}) => {
  const receivers = {
    drips: await startReceiver((_received, response) => {
      response.writeHead(200).write(".");
      const drip = setInterval(() => response.write("."), 1_000);
      response.on("close", () => clearInterval(drip));
    }),
    floods: await startReceiver((_received, response) => flood(response, 200)),
    "floods and refuses": await startReceiver((_received, response) => flood(response, 500)),
    "never answers": await startReceiver(() => {}),
    "hangs up": await startReceiver((_received, _response, request) =>
      request.socket.resetAndDestroy(),
    ),
  };
  const ids: Record<string, string | undefined> = {};
  for (const [name, { url }] of Object.entries(receivers)) {
    ids[name] = (await subscribe(service, company, url, [started]))["started"];
  }
  // More than an endpoint may have on its way at a time.
  for (let index = 0; index < 12; index += 1) await send(service, company, `r${index}`);
  await receivers["never answers"].until(8);
  await receivers.drips.until(8);

  const healthy = await hearHealthy(service, await makeCompany(db.database));
  const before = await finishedAttempts(service, company, [ids["drips"], ids["never answers"]]);
  expect(healthy.received).toHaveLength(10);
  expect(before).toBe(0);

  const first = async (name: string) => (await deliveriesOf(service, company, ids[name])).at(-1);
  await expect.poll(async () => (await first("drips")).log.length, long).toBe(1);
  await expect.poll(async () => (await first("never answers")).log.length, long).toBe(1);
  for (const name of ["drips", "never answers"]) {
    const delivery = await first(name);
    expect(delivery, name).toMatchObject({ status: "pending", attempts: 1 });
    expect(delivery.log, name).toMatchObject([
      { statusCode: null, error: "timeout: The answer was not complete in time.", response: null },
    ]);
    expect(delivery.log[0].durationMs).toBeGreaterThanOrEqual(9_900);
    expect(delivery.log[0].durationMs).toBeLessThan(20_000);
    expect(pauseAfter(delivery)).toBeGreaterThanOrEqual(3_900);
  }
  expect(await first("floods")).toMatchObject({
    status: "delivered",
    attempts: 1,
    log: [{ statusCode: 200, error: null, response: "x".repeat(1_024) }],
  });
  for (const [name, logged] of [
    ["floods and refuses", { statusCode: 500, error: null, response: "x".repeat(1_024) }],
    ["hangs up", { statusCode: null, error: expect.stringMatching(/^reset: /), response: null }],
  ] as const) {
    const delivery = await first(name);
    expect(delivery.status, name).toBe("pending");
    expect(delivery.log[0], name).toMatchObject(logged);
    expect(delivery.log.map(({ attempt }: { attempt: number }) => attempt)).toEqual(
      Array.from({ length: delivery.attempts }, (_, index) => index + 1),
    );
    expect(pauseAfter(delivery)).toBeGreaterThanOrEqual(3_900);
  }
  for (const bytes of flooded) expect(bytes).toBeLessThan(20 * megabyte.length);
  for (const receiver of Object.values(receivers)) await receiver.stop();
});

test("a slow endpoint holds up no other endpoint on the same host, of this company or another", async ({
  db,
  service,
  company,
}) => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((received, response) => {
    if (received.path === "/slow") held.push(response);
    else response.writeHead(200).end();
  });
  const neighbour = await makeCompany(db.database);
  await subscribe(service, company, `${receiver.url}/slow`, [started]);
  for (let index = 0; index < 12; index += 1) await send(service, company, `r${index}`);
  await receiver.until(8);

  await subscribe(service, company, `${receiver.url}/own`, [started]);
  await subscribe(service, neighbour, `${receiver.url}/other`, [started]);
  await send(service, company, "own");
  await send(service, neighbour, "other");
  const quick = () => receiver.received.filter(({ path }) => path !== "/slow");
  await expect
    .poll(
      () =>
        quick()
          .map(({ path }) => path)
          .toSorted(),
      { ...long, timeout: 15_000 },
    )
    .toEqual(["/other", "/own"]);
  // Before any slow one was given up, which takes ten seconds: nobody waited for that.
  const [slow] = receiver.received;
  const waited = quick().map(({ atMs }) => atMs - (slow?.atMs ?? 0));
  expect(Math.max(...waited)).toBeLessThan(9_000);
  await receiver.stop();
});

const flooded: number[] = [];

/** Sends 50 MB as fast as they are taken, and notes how many were. */
function flood(response: ServerResponse, status: number): void {
  let left = 50;
  response.writeHead(status);
  const more = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(megabyte)) return;
    }
    response.end();
  };
  response.on("drain", more);
  response.on("error", () => {});
  response.on("close", () => flooded.push((50 - left) * megabyte.length));
  more();
}

/** Another company's receiver and ten transfers of its own, all heard of. */
async function hearHealthy(service: TestService, company: TestCompany): Promise<Receiver> {
  const receiver = await startReceiver();
  await subscribe(service, company, receiver.url, [started]);
  for (let index = 0; index < 10; index += 1) await send(service, company, `r${index}`);
  await receiver.until(10);
  return receiver;
}

async function finishedAttempts(
  service: TestService,
  company: TestCompany,
  ids: readonly (string | undefined)[],
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    for (const { attempts } of await deliveriesOf(service, company, id)) count += attempts;
  }
  return count;
}

/** From the end of the first attempt to the second one, made or planned. */
function pauseAfter({
  log,
  nextAttemptAt,
}: {
  readonly log: readonly { readonly startedAt: string; readonly durationMs: number }[];
  readonly nextAttemptAt: string;
}): number {
  const [first, second] = log;
  const end = Date.parse(first?.startedAt ?? "") + (first?.durationMs ?? 0);
  return Date.parse(second?.startedAt ?? nextAttemptAt) - end;
}
