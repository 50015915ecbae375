import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { EgressClient, type EgressClientOptions } from "./client.ts";

/** For what is meant to take too long. */
const soonMs = 500;
/** Longer than a test may take. */
const neverMs = 600_000;

test("many requests share few connections", async () => {
  const receiver = await receiveHttp();
  const client = makeClient({ connectionsMax: 8 });

  const answers = await Promise.all(Array.from({ length: 500 }, () => post(client, receiver.url)));

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(receiver.connections).toBeLessThanOrEqual(8);
});

test("a request that waits for a connection has the same deadline", async () => {
  const receiver = await receive((socket) => void socket.resume());
  const client = makeClient({ connectionsMax: 1, timeoutMs: soonMs });

  // One after the other they would take longer than a test may.
  const waiting = Array.from({ length: 200 }, () => post(client, receiver.url));

  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "timeout" } });
  }
});

test.each([
  ["another owner", "bob", ""],
  ["another URL of the same host", "ann", "/quick"],
])("a receiver that hangs holds up no request of %s", async (_what, owner, path) => {
  let isHanging = true;
  const receiver = await listen(
    http.createServer((_request, response) => {
      if (!isHanging) response.end();
      isHanging = false;
    }),
  );
  const client = makeClient({ connectionsMax: 1 });

  const slow = post(client, receiver.url);
  await expect.poll(() => receiver.requests).toBe(1);
  const quick = [
    await post(client, receiver.url + path, owner),
    await post(client, receiver.url + path, owner),
  ];

  expect(quick).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
  expect(receiver.connections).toBe(2);
  await Promise.all([client.close(0), expect(slow).rejects.toMatchObject({ code: "stopped" })]);
});

test("when a request fails, its connection's place goes to the next", async () => {
  const sockets: net.Socket[] = [];
  const receiver = await receive((socket) => {
    socket.on("data", () => {
      if (sockets.push(socket) > 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  const client = makeClient({ connectionsMax: 1 });

  const unheard = expect(post(client, receiver.url)).rejects.toMatchObject({ code: "reset" });
  const heard = post(client, receiver.url);
  await expect.poll(() => sockets).toHaveLength(1);
  sockets[0]?.resetAndDestroy();

  await unheard;
  expect(await heard).toMatchObject({ statusCode: 200 });
});

test("a port where nobody listens says so, and a receiver that comes back is sent to again", async () => {
  const receiver = await receiveHttp();
  const client = makeClient();
  await post(client, receiver.url);
  await receiver.stop();
  await expect.poll(() => receiver.open).toBe(0);
  await sleep(50);

  await expect(post(client, receiver.url)).rejects.toMatchObject({ code: "connect" });

  const again = http.createServer((_request, response) => response.end());
  again.listen(Number(new URL(receiver.url).port), "127.0.0.1");
  await once(again, "listening");
  onTestFinished(() => void again.close());
  expect(await post(client, receiver.url)).toMatchObject({ statusCode: 200 });
});

test("a receiver that never accepts the connection is over in time, and nothing stays open", async () => {
  const socket = new net.Socket();
  const dial = vi.spyOn(net, "connect").mockReturnValue(socket);
  onTestFinished(() => dial.mockRestore());

  const unreachable = post(makeClient({ timeoutMs: soonMs }), "http://127.0.0.1/hook");

  await expect(unreachable).rejects.toMatchObject({ code: "timeout" });
  await expect.poll(() => socket.destroyed).toBe(true);
});

test("closing without patience gives up what runs, waits or is not connected, and sends none of it", async () => {
  const receiver = await receiveHttp(neverMs);
  const resolve = vi.fn(() => new Promise<never>(() => {}));
  const client = makeClient({ connectionsMax: 1, resolve });

  const underWay = Promise.allSettled([
    post(client, receiver.url),
    post(client, receiver.url),
    post(client, "http://a.test/"),
  ]);
  await expect.poll(() => receiver.requests).toBe(1);
  await client.close(0);

  const stopped = { status: "rejected", reason: { code: "stopped" } };
  expect(await underWay).toMatchObject([stopped, stopped, stopped]);
  await expect(post(client, receiver.url)).rejects.toMatchObject({ code: "stopped" });
  await expect.poll(() => receiver.open).toBe(0);
  expect([receiver.connections, receiver.requests]).toEqual([1, 1]);
});

test("closing waits for what is under way, refuses more, and leaves no connection", async () => {
  const receiver = await receiveHttp(100);
  const client = makeClient({ connectionsMax: 1 });

  const underWay = [post(client, receiver.url), post(client, receiver.url)];
  const closing = client.close();

  await expect(post(client, receiver.url)).rejects.toMatchObject({ code: "stopped" });
  await closing;
  expect(await Promise.all(underWay)).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
  await expect.poll(() => receiver.open).toBe(0);
});

test("the connection used longest ago makes room for one to another receiver", async () => {
  const [first, second, third] = [await receiveHttp(), await receiveHttp(), await receiveHttp()];
  const client = makeClient({ destinationsMax: 2 });

  for (const { url } of [first, second, first, third]) await post(client, url);

  await expect.poll(() => [first.open, second.open, third.open]).toEqual([1, 0, 1]);
  expect(await post(client, second.url)).toMatchObject({ statusCode: 200 });
});

test("an idle connection is closed before the receiver may close it, and the next request has a new one", async () => {
  const answer = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 0\r\n\r\n";
  const receiver = await receive((socket) => void socket.on("data", () => socket.write(answer)));
  const client = makeClient();

  await post(client, receiver.url);
  await post(client, receiver.url);
  expect(receiver.connections).toBe(1);

  // The receiver itself never closes one.
  await expect.poll(() => receiver.open).toBe(0);
  expect(await post(client, receiver.url)).toMatchObject({ statusCode: 200 });
  expect(receiver.connections).toBe(2);
});

function makeClient(options: Partial<EgressClientOptions> = {}): EgressClient {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: neverMs,
    responseBytesMax: 16_384,
    connectionsMax: 8,
    ...options,
  });
  onTestFinished(() => client.close(0));
  return client;
}

function post(client: EgressClient, url: string, owner = "ann") {
  return client.send({ url, owner, method: "POST", headers: {}, body: "x".repeat(400) });
}

function receiveHttp(delayMs = 0) {
  return listen(
    http.createServer((request, response) => {
      request.resume().on("end", () => void setTimeout(() => response.end("ok"), delayMs));
    }),
  );
}

function receive(onConnection: (socket: net.Socket) => void) {
  return listen(net.createServer(onConnection));
}

async function listen(server: net.Server) {
  const receiver = { url: "", connections: 0, open: 0, requests: 0 };
  const sockets = new Set<net.Socket>();
  server.on("request", () => void (receiver.requests += 1));
  server.on("connection", (socket) => {
    receiver.connections += 1;
    receiver.open += 1;
    sockets.add(socket.on("error", () => {}).on("close", () => void (receiver.open -= 1)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    stop,
  });
}
