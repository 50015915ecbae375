import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { EgressClient } from "../src/egress/client.ts";
import { packageRoot } from "../src/kernel/root.ts";
import { signedHeaders } from "../src/webhooks/signature.ts";

/** The arguments by which bench/main knows that it is to receive notifications, or to send them bare. */
export const receiverArgument = "receive";
export const senderArgument = "send-without-database";

const inFlightPerEndpoint = 8;

/** A merchant's server: acknowledges at once. Below /hang it stops answering when told to. */
export async function receive(): Promise<void> {
  let isHanging = false;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (isHanging && request.url?.startsWith("/hang") === true) return;
      response.writeHead(200).end("ok");
    });
  });
  process.on("message", (message) => {
    isHanging = message === "hang";
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(process, "disconnect");
  server.closeAllConnections();
  server.close();
}

export interface Receiver {
  readonly url: string;
  hang(isHanging: boolean): void;
  stop(): void;
}

export async function startReceiver(stopped: AbortSignal): Promise<Receiver> {
  const child = fork(mainPath(), [receiverArgument], { signal: stopped, env: {} });
  child.on("error", () => {});
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    hang: (isHanging) => child.send(isHanging ? "hang" : "answer"),
    stop: () => child.disconnect(),
  };
}

interface Order {
  readonly urls: readonly string[];
  readonly body: string;
  /** Sent first, so that both sides are measured with compiled code and open connections. */
  readonly warmUp: number;
  readonly count: number;
}

/** As many headers of the same length as the dispatcher signs. */
const headers = signedHeaders("service", ["sk_bench"], new Date(0), {
  id: "msg_019b2d5f3a7c7c0f8000a1b2c3d4e5f6_1000",
  topic: "transactions/completed",
  payload: "",
});

/** The dispatcher's own HTTP client, as many requests in flight as the dispatcher has, and nothing else. */
export async function sendWithoutDatabase(): Promise<void> {
  const [order] = (await once(process, "message")) as [Order];
  const client = new EgressClient({
    policy: { environment: "staging" },
    timeoutMs: 10_000,
    responseBytesMax: 16 * 1024,
    connectionsMax: inFlightPerEndpoint,
  });
  await sendAll(client, order, order.warmUp);
  const started = performance.now();
  await sendAll(client, order, order.count);
  process.send?.(performance.now() - started);
  await client.close();
  process.disconnect();
}

async function sendAll(client: EgressClient, { urls, body }: Order, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    urls.flatMap((url) =>
      Array.from({ length: inFlightPerEndpoint }, async () => {
        while (left > 0) {
          left -= 1;
          await client.send({ url, owner: "bench", method: "POST", headers, body });
        }
      }),
    ),
  );
}

/** Notifications a second, without the database. */
export async function measureBareSender(order: Order, stopped: AbortSignal): Promise<number> {
  const child = fork(mainPath(), [senderArgument], { signal: stopped, env: {} });
  child.on("error", () => {});
  child.send(order);
  const [elapsedMs] = (await once(child, "message")) as [number];
  return (order.count / elapsedMs) * 1_000;
}

function mainPath(): string {
  return join(packageRoot, "dist/bench/main.js");
}
