import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { EgressClient, type EgressClientOptions, EgressFailed } from "./egress.ts";

const timeoutMs = 500;
/** A busy machine runs a timer late; without a deadline these tests would take far longer than this. */
const lateMs = 2_000;

test.each([
  ["never answers", "timeout", () => {}],
  [
    "stops in the middle of its headers",
    "timeout",
    (socket) => socket.write("HTTP/1.1 200 OK\r\nA:"),
  ],
  ["sends a byte of its body now and then", "timeout", drip],
  ["announces an answer without end", "timeout", announce],
  ["resets the connection", "reset", (socket) => socket.resetAndDestroy()],
  ["hangs up", "reset", (socket) => socket.end()],
  ["hangs up in the middle of its body", "reset", (socket) => socket.end(ok(100, "abc"))],
  ["does not speak HTTP", "protocol", (socket) => socket.write("SSH-2.0-OpenSSH_9.6\r\n")],
  ["sends 1 MB of headers", "protocol", bombard],
  ["sends one header without end", "protocol", (socket) => bombard(socket, "a")],
] satisfies [string, string, (socket: net.Socket) => unknown][])(
  "a receiver that %s is over in time, as %s, and its connection is closed",
  async (_what, code, answer) => {
    const receiver = await receive((socket) => void socket.once("data", () => answer(socket)));
    const client = makeClient();
    const started = performance.now();

    const failure = await post(client, receiver.url).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(EgressFailed);
    expect(failure).toMatchObject({ code });
    expect(performance.now() - started).toBeLessThan(timeoutMs + lateMs);
    await vi.waitFor(() => expect(receiver.open).toBe(0));
    // Nor does it come back by itself.
    await sleep(50);
    expect(receiver.connections).toBe(1);
  },
);

test("of 50 MB the beginning is read, and little more ever leaves the receiver", async () => {
  const receiver = await receive(
    (socket) => void socket.once("data", () => pour(socket, 50_000_000)),
  );
  const client = makeClient();
  const before = process.memoryUsage().arrayBuffers;

  for (let count = 1; count <= 10; count += 1) {
    const response = await post(client, receiver.url);
    expect(response).toMatchObject({ statusCode: 200, isCut: true });
    expect(response.body.toString()).toBe("x".repeat(16_384));
  }

  await vi.waitFor(() => expect(receiver.open).toBe(0));
  expect(receiver.bytesSent).toBeLessThan(10 * 10_000_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test("an answer of exactly the limit is whole, also when it comes byte by byte", async () => {
  const body = "y".repeat(1_000);
  const receiver = await receive((socket) => {
    socket.once("data", () => {
      const bytes = Array.from({ length: 1_000 }, () => "1\r\ny\r\n");
      socket.write(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.join("")}0\r\n\r\n`,
      );
    });
  });

  const whole = await post(makeClient({ responseBytesMax: 1_000 }), receiver.url);
  const cut = await post(makeClient({ responseBytesMax: 999 }), receiver.url);

  expect([whole.body.toString(), whole.isCut]).toEqual([body, false]);
  expect([cut.body.toString(), cut.isCut]).toEqual([body.slice(1), true]);
});

test("an answer nobody asked for is not taken for the answer to the next request", async () => {
  let count = 0;
  const receiver = await receive((socket) => {
    socket.on("data", () => {
      count += 1;
      socket.write(ok(1, `${count}`) + ok(6, "forged"));
    });
  });
  const client = makeClient({ connectionsPerOrigin: 1 });

  const oneByOne = [await post(client, receiver.url), await post(client, receiver.url)];
  const atOnce = await Promise.all([post(client, receiver.url), post(client, receiver.url)]);

  const answers = [...oneByOne, ...atOnce].map(({ body }) => body.toString());
  expect(answers).toEqual(["1", "2", "3", "4"]);
});

test("many requests share few connections", async () => {
  const receiver = await receiveHttp();
  const client = makeClient({ connectionsPerOrigin: 8, timeoutMs: 20_000 });

  const answers = await Promise.all(Array.from({ length: 500 }, () => post(client, receiver.url)));

  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(receiver.connections).toBeLessThanOrEqual(8);
});

test("a request that waits for a connection has the same deadline, and its place is given up", async () => {
  let isDeaf = true;
  let requests = 0;
  const receiver = await receive((socket) => {
    socket.on("data", () => {
      requests += 1;
      if (!isDeaf) socket.write(ok(0, ""));
    });
  });
  const client = makeClient({ connectionsPerOrigin: 2 });
  const started = performance.now();

  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => post(client, receiver.url)),
  );

  expect(performance.now() - started).toBeLessThan(timeoutMs + lateMs);
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(requests).toBeLessThanOrEqual(4);
  isDeaf = false;
  expect(await post(client, receiver.url)).toMatchObject({ statusCode: 200 });
});

test("a name that never resolves, one that does not exist and a closed port each say what they are", async () => {
  const closed = await receive(() => {});
  await closed.stop();

  const silent = makeClient({ resolve: () => new Promise(() => {}) });
  const missing = makeClient({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  const empty = makeClient({ resolve: () => Promise.resolve([]) });

  await expect(post(silent, "http://a.test/")).rejects.toMatchObject({ code: "timeout" });
  await expect(post(missing, "http://a.test/")).rejects.toMatchObject({ code: "dns" });
  await expect(post(empty, "http://a.test/")).rejects.toMatchObject({ code: "dns" });
  await expect(post(makeClient(), closed.url)).rejects.toMatchObject({ code: "connect" });
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

interface TestReceiver {
  readonly url: string;
  readonly connections: number;
  readonly open: number;
  readonly bytesSent: number;
  stop(): Promise<unknown>;
}

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

function receiveHttp(delayMs = 0): Promise<TestReceiver> {
  const server = http.createServer((request, response) => {
    request.resume().on("end", () => void setTimeout(() => response.end("ok"), delayMs));
  });
  return listen(server);
}

function receive(onConnection: (socket: net.Socket) => void): Promise<TestReceiver> {
  return listen(net.createServer(onConnection));
}

async function listen(server: net.Server): Promise<TestReceiver> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  let bytesSent = 0;
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => {}));
    socket.on("close", () => {
      bytesSent += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await stop()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    get bytesSent() {
      return bytesSent;
    },
    stop,
  };
}

function ok(length: number, body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function drip(socket: net.Socket): void {
  socket.write(ok(1_000, ""));
  repeat(socket, 20, "x");
}

function announce(socket: net.Socket): void {
  repeat(socket, 1, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
}

function bombard(socket: net.Socket, line = `a: ${"b".repeat(1_000)}\r\n`): void {
  socket.write(`HTTP/1.1 200 OK\r\n${line.repeat(1_000_000 / line.length)}`);
}

/** Writes as fast as it is read, and no faster: what is not read stays unwritten. */
function pour(socket: net.Socket, length: number): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`);
  const chunk = "x".repeat(65_536);
  const write = () => {
    while (socket.writable && socket.bytesWritten < length && socket.write(chunk));
  };
  socket.on("drain", write);
  write();
}

function repeat(socket: net.Socket, everyMs: number, text: string): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on("close", () => clearInterval(timer));
}
