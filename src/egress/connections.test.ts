import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { EgressClient, type EgressClientOptions } from "./client.ts";

const timeoutMs = 500;
/** A busy machine runs a timer late; without a deadline these tests would take far longer than this. */
const lateMs = 2_000;

test("many requests share few connections", async () => {
  const receiver = await receiveHttp();
  const client = makeClient({ connectionsPerOrigin: 8, timeoutMs: 20_000 });

  const answers = await Promise.all(Array.from({ length: 500 }, () => post(client, receiver.url)));

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(receiver.connections).toBeLessThanOrEqual(8);
});

test("a request that waits for a connection has the same deadline", async () => {
  const receiver = await receive((socket) => void socket.resume());
  const client = makeClient({ connectionsPerOrigin: 2 });
  const started = performance.now();

  const waiting = Array.from({ length: 50 }, () => post(client, receiver.url));

  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe("rejected");
  expect(performance.now() - started).toBeLessThan(timeoutMs + lateMs);
});

test("slow requests of one pool hold up those of no other on the same host", async () => {
  const receiver = await listen(
    http.createServer((request, response) => {
      if (request.url !== "/slow") response.end();
    }),
  );
  const client = makeClient({ connectionsPerOrigin: 1, timeoutMs: 5_000 });
  const url = new URL(receiver.url).origin;
  const { signal, abort } = abortable();
  const request = { method: "POST", headers: {} } as const;
  const started = performance.now();

  const slow = client.send({ ...request, url: `${url}/slow`, pool: "a", signal });
  const quick = [
    await client.send({ ...request, url: `${url}/quick`, pool: "b" }),
    await client.send({ ...request, url: `${url}/quick`, pool: "b" }),
    await client.send({ ...request, url: `${url}/quick` }),
  ];

  expect(quick.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(performance.now() - started).toBeLessThan(lateMs);
  expect(receiver.connections).toBe(3);
  abort();
  await expect(slow).rejects.toMatchObject({ code: "aborted" });
});

test("when a request is given up, its connection's place goes to the next", async () => {
  const answers = ["", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"];
  const receiver = await receive((socket) => {
    const answer = answers.shift() ?? "";
    socket.on("data", () => socket.write(answer));
  });
  const client = makeClient({ connectionsPerOrigin: 1 });

  const unheard = post(client, receiver.url);
  await sleep(timeoutMs / 2);
  const heard = post(client, receiver.url);

  await expect(unheard).rejects.toMatchObject({ code: "timeout" });
  expect(await heard).toMatchObject({ statusCode: 200 });
});

test("a port where nobody listens says so, and a receiver that comes back is sent to again", async () => {
  const receiver = await receiveHttp();
  const client = makeClient();
  await post(client, receiver.url);
  await receiver.stop();
  await vi.waitFor(() => expect(receiver.open).toBe(0));
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

  const unreachable = post(makeClient(), "http://127.0.0.1/hook");

  await expect(unreachable).rejects.toMatchObject({ code: "timeout" });
  await vi.waitFor(() => expect(socket.destroyed).toBe(true));
});

test("a signal ends a request before, while it waits, and while it runs", async () => {
  const receiver = await receive((socket) => void socket.resume());
  const client = makeClient({ connectionsPerOrigin: 1, timeoutMs: 20_000 });
  const { signal, abort } = abortable();
  const started = performance.now();

  const running = post(client, receiver.url, signal);
  const waiting = post(client, receiver.url, signal);
  setTimeout(abort, 50);

  await expect(running).rejects.toMatchObject({ code: "aborted" });
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  await expect(post(client, receiver.url, signal)).rejects.toMatchObject({ code: "aborted" });
  expect(performance.now() - started).toBeLessThan(lateMs);
  await vi.waitFor(() => expect(receiver.open).toBe(0));
});

test("a request that is given up while it waits is never sent", async () => {
  const receiver = await receiveHttp(100);
  const client = makeClient({ connectionsPerOrigin: 1 });
  const { signal, abort } = abortable();

  const sent = post(client, receiver.url);
  const waiting = post(client, receiver.url, signal);
  abort();

  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  expect(await sent).toMatchObject({ statusCode: 200 });
  await client.close();
  expect(receiver.requests).toBe(1);
});

test("closing waits for what is under way, refuses more, and leaves no connection", async () => {
  const receiver = await receiveHttp(100);
  const client = makeClient({ connectionsPerOrigin: 1 });

  const underWay = [post(client, receiver.url), post(client, receiver.url)];
  const closing = client.close();

  await expect(post(client, receiver.url)).rejects.toMatchObject({ code: "closed" });
  await closing;
  expect(await Promise.all(underWay)).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
  await vi.waitFor(() => expect(receiver.open).toBe(0));
});

test("the origin used longest ago makes room, and one unused for a minute is closed", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [first, second, third] = [await receiveHttp(), await receiveHttp(), await receiveHttp()];
  const client = makeClient({ originsMax: 2 });

  for (const { url } of [first, second, first, third]) {
    vi.advanceTimersByTime(1);
    await post(client, url);
  }

  await vi.waitFor(() => expect([first.open, second.open, third.open]).toEqual([1, 0, 1]));
  vi.advanceTimersByTime(80_000);
  await vi.waitFor(() => expect([first.open, third.open]).toEqual([0, 0]));
  expect(await post(client, first.url)).toMatchObject({ statusCode: 200 });
});

function makeClient(options: Partial<EgressClientOptions> = {}): EgressClient {
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs,
    responseBytesMax: 16_384,
    connectionsPerOrigin: 8,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

function post(client: EgressClient, url: string, signal?: AbortSignal) {
  const request = { url, method: "POST", headers: {}, body: "x".repeat(400) } as const;
  return client.send(signal === undefined ? request : { ...request, signal });
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
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
