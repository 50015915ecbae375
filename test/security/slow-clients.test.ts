import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { makeCompany, startService, type TestService, test } from "../fixtures.ts";
import { patience } from "../receiver.ts";

/** A client that may be as slow as it likes; what it got so far, and whether it was cut off. */
class SlowClient {
  readonly socket: Socket;
  received = "";
  isCut = false;

  constructor(service: TestService) {
    const { hostname, port } = new URL(service.url);
    // It never closes by itself, not even when the other side does.
    this.socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    this.socket.on("data", (chunk) => (this.received += chunk.toString()));
    this.socket.on("end", () => (this.isCut = true));
    this.socket.on("error", () => (this.isCut = true));
    onTestFinished(() => void this.socket.destroy());
  }

  /** A little at a time, so that the connection is never idle, and never done. */
  async drip(text: string): Promise<void> {
    this.socket.write(text);
    while (!this.isCut) {
      this.socket.write("x");
      await sleep(50);
    }
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1]);
  }
}

/** The same rules, in a hundredth of the time, also for connections that are open already. */
function hurry({ app: { server } }: TestService): void {
  server.headersTimeout = 100;
  server.requestTimeout = 300;
  server.timeout = 600;
  server.keepAliveTimeout = 200;
}

async function connections({ app: { server } }: TestService): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

function expectEveryWaitToEnd({ app: { server } }: TestService): void {
  expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.timeout).toBeLessThanOrEqual(60_000);
  expect(server.keepAliveTimeout).toBeLessThanOrEqual(75_000);
  // How often Node.js looks at the first two.
  const { connectionsCheckingInterval } = server as unknown as Record<string, number>;
  expect(connectionsCheckingInterval).toBeLessThanOrEqual(1_000);
}

test("408 and cut: slow headers and slow bodies; silent connections are cut too, and nobody else waits", async ({
  service,
  company,
}) => {
  expectEveryWaitToEnd(service);
  // So that nobody who was answered keeps a connection.
  service.app.server.keepAliveTimeout = 200;
  const known = `Host: x\r\nAuthorization: Bearer ${company.accessToken}\r\nContent-Type: application/json`;
  const slow = Array.from({ length: 20 }, () => new SlowClient(service));
  const drips = slow.map((client, index) =>
    client.drip(
      index % 2 === 0
        ? "GET /v1/balance HTTP/1.1\r\nHost: x\r\nX-Slow: "
        : `POST /v1/transactions HTTP/1.1\r\n${known}\r\nContent-Length: 100000\r\n\r\n{"pad":"`,
    ),
  );
  const silent = Array.from({ length: 300 }, () => new SlowClient(service));
  await Promise.all(silent.map(({ socket }) => once(socket, "connect")));

  // Meanwhile the others are answered.
  for (let count = 0; count < 10; count += 1)
    expect((await service.call("GET", "/v1/balance", { token: company.accessToken })).status).toBe(
      200,
    );

  hurry(service);
  await Promise.all(drips);
  expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 408));
  for (const { received } of slow) {
    expect(received).toContain('"code":"request_timeout"');
    expect(received).toContain("x-content-type-options: nosniff");
  }
  await expect.poll(() => silent.filter(({ isCut }) => !isCut).length, patience).toBe(0);
  // Nothing is left of them on our side, though none of them ever hung up.
  await expect.poll(() => connections(service), patience).toBe(0);
});

test("clients that take nothing of a long answer hold nobody up, and are cut", async ({ db }) => {
  const service = await startService(db, { REQUESTS_IN_FLIGHT_MAX: "2" });
  onTestFinished(() => service.stop());
  const { accessToken: token } = await makeCompany(db.database, { fund: 10_000_000 });
  const transactions = Array.from({ length: 400 }, (_, index) => ({
    amount: 5_000,
    msisdn: "2250700000000",
    reference: `r${index}`,
    metadata: { pad: "x".repeat(15_000) },
  }));
  const batch = await service.call("POST", "/v1/transactions/batch", {
    token,
    body: { transactions },
  });
  expect(batch.status).toBe(201);
  const question = `GET /v1/batches/${batch.body.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const sockets: Socket[] = [];
  service.app.server.on("connection", (socket) => sockets.push(socket));
  const askAndSleep = () => {
    const client = new SlowClient(service);
    client.socket.pause();
    client.socket.write(question.repeat(2));
  };
  // As many as are taken on at once are answered, and nobody reads the answers.
  askAndSleep();
  await expect.poll(() => sockets.some((socket) => socket.writableNeedDrain), patience).toBe(true);
  expect((await service.call("GET", "/v1/balance", { token })).status).toBe(200);

  hurry(service);
  const accepted = once(service.app.server, "connection") as Promise<[Socket]>;
  askAndSleep();
  const [socket] = await accepted;
  await once(socket, "close");
});
