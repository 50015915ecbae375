import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { EgressClient, type EgressClientOptions } from "./client.ts";
import { EgressFailed } from "./errors.ts";

/** For what is meant to take too long. */
const soonMs = 500;
/** Longer than a test may take. */
const neverMs = 600_000;
const announcement = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";

test.each([
  ["never answers", "timeout", () => {}],
  [
    "stops in the middle of its headers",
    "timeout",
    (socket) => socket.write("HTTP/1.1 200 OK\r\nA:"),
  ],
  ["sends a byte of its body now and then", "timeout", drip],
  ["announces an answer and never gives it", "timeout", (socket) => socket.write(announcement)],
  ["announces an answer without end", "protocol", announce],
  [
    "announces an answer 50 000 times",
    "protocol",
    (socket) => socket.write(announcement.repeat(50_000)),
  ],
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
    const client = makeClient({ timeoutMs: code === "timeout" ? soonMs : neverMs });

    const failure = await post(client, receiver.url).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(EgressFailed);
    expect(failure).toMatchObject({ code });
    await expect.poll(() => receiver.open).toBe(0);
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

  await expect.poll(() => receiver.open).toBe(0);
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
  const client = makeClient({ connectionsMax: 1 });

  const oneByOne = [await post(client, receiver.url), await post(client, receiver.url)];
  const atOnce = await Promise.all([post(client, receiver.url), post(client, receiver.url)]);

  const answers = [...oneByOne, ...atOnce].map(({ body }) => body.toString());
  expect(answers).toEqual(["1", "2", "3", "4"]);
});

test("a name that never resolves and one that has no address each say what they are", async () => {
  const silent = makeClient({ timeoutMs: soonMs, resolve: () => new Promise(() => {}) });
  const missing = makeClient({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  const empty = makeClient({ resolve: () => Promise.resolve([]) });

  await expect(post(silent, "http://a.test/")).rejects.toMatchObject({ code: "timeout" });
  await expect(post(missing, "http://a.test/")).rejects.toMatchObject({ code: "dns" });
  await expect(post(empty, "http://a.test/")).rejects.toMatchObject({ code: "dns" });
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

function post(client: EgressClient, url: string) {
  return client.send({ url, owner: "ann", method: "POST", headers: {}, body: "x".repeat(400) });
}

async function receive(onConnection: (socket: net.Socket) => void) {
  const receiver = { url: "", connections: 0, open: 0, bytesSent: 0 };
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    receiver.connections += 1;
    receiver.open += 1;
    socket.on("error", () => {});
    socket.on("close", () => {
      receiver.open -= 1;
      receiver.bytesSent += socket.bytesWritten;
    });
    sockets.push(socket);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

function ok(length: number, body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function drip(socket: net.Socket): void {
  socket.write(ok(1_000, ""));
  repeat(socket, 20, "x");
}

function announce(socket: net.Socket): void {
  repeat(socket, 1, announcement);
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
