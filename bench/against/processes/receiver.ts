import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

// A merchant's server in a process of its own, which acknowledges at once and counts. It is told how many
// notifications to expect, and says so when they are there.

export interface Expectation {
  readonly count: number;
}

export interface Arrivals {
  /** From the first notification after the warm-up until the last one. */
  readonly perSecond: number;
  /** One notification as it came, for whoever sends the like. */
  readonly sample: { readonly headers: IncomingHttpHeaders; readonly body: string };
}

/** The share of the notifications during which the sender is still warming up. */
const warmUpShare = 0.2;

let expected = 0;
let warmUp = 0;
let arrived = 0;
let startedAt = 0;
let sample: Arrivals["sample"] | undefined;

function count(): void {
  arrived += 1;
  if (arrived === warmUp) startedAt = performance.now();
  if (arrived !== expected || sample === undefined) return;
  const seconds = (performance.now() - startedAt) / 1_000;
  const arrivals: Arrivals = { perSecond: (expected - warmUp) / seconds, sample };
  process.send?.(arrivals);
}

const server = createServer((request, response) => {
  // A test event of a new address is no notification.
  if (request.headers["x-service-webhook-test"] !== undefined) {
    request.resume();
    response.writeHead(200).end("ok");
    return;
  }
  let body = "";
  if (sample === undefined) request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  else request.resume();
  request.on("end", () => {
    sample ??= { headers: request.headers, body };
    response.writeHead(200).end("ok");
    count();
  });
});
process.on("message", (message: Expectation) => {
  expected = message.count;
  warmUp = Math.max(1, Math.round(expected * warmUpShare));
  arrived = 0;
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
await once(process, "disconnect");
server.closeAllConnections();
server.close();
